import { Section, Stack } from '@fixpoint/ui/layout.tsx';
import { useState } from 'react';
import { useInvoices } from '../../shop/billing.ts';
import { ListPages } from '../../shop/list-pages.tsx';
import { useText } from '../../shop/texts.ts';
import { InvoiceTable } from './invoice-table.tsx';

/** Invoices of one subscription. */
export function SubscriptionInvoices({ subscriptionId }: { subscriptionId: string }) {
  const t = useText();
  const [page, setPage] = useState(1);
  const { data } = useInvoices(page, { sort: 'newest', subscriptionId });
  if (!data?.total) return null;
  return (
    <Section title={t('billing.invoices')}>
      <Stack gap={6}>
        <InvoiceTable invoices={data.items} />
        <ListPages nav="billing.pages" page={page} total={data.total} onPage={setPage} />
      </Stack>
    </Section>
  );
}
