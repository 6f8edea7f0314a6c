import { Section, Stack } from '@fixpoint/ui/layout.tsx';
import { useState } from 'react';
import { useInvoices } from '../../shop/billing.ts';
import { ListPages, ListRange, PAGE_SIZE } from '../../shop/list-pages.tsx';
import { useText } from '../../shop/texts.ts';
import { InvoiceTable } from './invoice-table.tsx';

/** Invoices of one subscription. */
export function SubscriptionInvoices({ subscriptionId }: { subscriptionId: string }) {
  const t = useText();
  const [page, setPage] = useState(1);
  const { data, isPlaceholderData } = useInvoices(page, { sort: 'newest', subscriptionId });
  if (!data?.total) return null;
  return (
    <Section title={t('billing.invoices')}>
      <Stack gap={6}>
        {data.total > PAGE_SIZE && (
          <ListRange page={page} total={isPlaceholderData ? undefined : data.total} />
        )}
        <InvoiceTable invoices={data.items} ofOne busy={isPlaceholderData} />
        <ListPages nav="billing.pages" page={page} total={data.total} onPage={setPage} />
      </Stack>
    </Section>
  );
}
