import { bangkokYear } from '@fixpoint/texts/format.ts';
import { config } from '../server/config.ts';
import { useText } from '../shop/texts.ts';

/** Name, address and tax number of the seller, as far as configured. */
export function Company() {
  const t = useText();
  const { BRAND_NAME, COMPANY_NAME, COMPANY_ADDRESS, COMPANY_TAX_ID } = config();
  const seller = [
    COMPANY_NAME,
    COMPANY_ADDRESS,
    COMPANY_TAX_ID && t('footer.taxId', { number: COMPANY_TAX_ID }),
  ];
  return (
    <>
      <span>{t('footer.copyright', { year: bangkokYear(new Date()), brand: BRAND_NAME })}</span>
      {COMPANY_NAME && <span>{seller.filter(Boolean).join(' · ')}</span>}
    </>
  );
}
