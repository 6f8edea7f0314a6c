import { SmallFooter } from '@fixpoint/ui/footer.tsx';
import { LegalLink } from '../features/legal/legal-link.tsx';
import { useText } from '../shop/texts.ts';
import { Company } from './company.tsx';

/** The company, and the two legal texts, which open in a dialog. */
export function CheckoutFooter() {
  const t = useText();
  return (
    <SmallFooter>
      <Company />
      <LegalLink document="terms">{t('footer.terms')}</LegalLink>
      <LegalLink document="policy">{t('footer.privacy')}</LegalLink>
    </SmallFooter>
  );
}
