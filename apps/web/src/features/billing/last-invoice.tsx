import { Section } from '@fixpoint/ui/layout.tsx';
import { useInvoices } from '../../shop/billing.ts';
import { useHref } from '../../shop/links.ts';
import { useText } from '../../shop/texts.ts';
import { InvoiceTable } from './invoice-table.tsx';

/** The newest invoice, with a link to the list. Renders nothing without one. */
export function LastInvoice() {
  const t = useText();
  const href = useHref();
  const [invoice] = useInvoices(1).data?.items ?? [];
  if (!invoice) return null;
  return (
    <Section
      title={t('dashboard.lastInvoice')}
      actions={<a href={href('/management/billing')}>{t('dashboard.allInvoices')}</a>}
    >
      <InvoiceTable invoices={[invoice]} />
    </Section>
  );
}
