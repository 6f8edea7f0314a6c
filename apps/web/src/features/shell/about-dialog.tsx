import { Dialog } from '@fixpoint/ui/dialog.tsx';
import { Stack } from '@fixpoint/ui/layout.tsx';
import { SummaryList } from '@fixpoint/ui/summary-list.tsx';
import { config } from '../../server/config.ts';
import { useText } from '../../shop/texts.ts';

/** The operator, as far as configured, and how to reach them, at most 776 px wide. */
export function AboutDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const t = useText();
  const { BRAND_NAME, SUPPORT_EMAIL, ...company } = config();
  const facts = [
    { term: t('about.company'), value: company.COMPANY_NAME },
    { term: t('about.place'), value: company.COMPANY_PLACE },
    { term: t('about.since'), value: company.COMPANY_SINCE },
    { term: t('about.address'), value: company.COMPANY_ADDRESS },
    { term: t('about.taxId'), value: company.COMPANY_TAX_ID },
    { term: t('about.auditor'), value: company.COMPANY_AUDITOR },
  ].filter(({ value }) => value);
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={t('footer.about')}
      closeLabel={t('app.close')}
      maxWidth="776px"
    >
      <Stack>
        <p>{t('about.text', { brand: BRAND_NAME })}</p>
        {facts.length > 0 && <SummaryList compact rows={facts} />}
        <p>{t('about.reach', { email: SUPPORT_EMAIL })}</p>
      </Stack>
    </Dialog>
  );
}
