import { buttonClass } from '@fixpoint/ui/button.tsx';
import { EmptyState } from '@fixpoint/ui/empty-state.tsx';
import { Page, Section, Stack } from '@fixpoint/ui/layout.tsx';
import { Skeleton } from '@fixpoint/ui/progress.tsx';
import { useState } from 'react';
import { InvoiceFilter } from '../../features/billing/invoice-filter.tsx';
import { InvoiceTable } from '../../features/billing/invoice-table.tsx';
import { PaymentMethods } from '../../features/pay/card/payment-methods.tsx';
import { type InvoiceChoice, isPlain, useInvoices } from '../../shop/billing.ts';
import { useHref } from '../../shop/links.ts';
import { ListPages } from '../../shop/list-pages.tsx';
import { LoadError } from '../../shop/load-error.tsx';
import { useText } from '../../shop/texts.ts';

/** Invoices, newest first, and the payment methods. */
export function Screen() {
  const t = useText();
  const href = useHref();
  const [page, setPage] = useState(1);
  const [choice, setChoice] = useState<InvoiceChoice>({ sort: 'newest' });
  const { data, error, isPending, refetch } = useInvoices(page, choice);
  const choose = (wanted: InvoiceChoice) => {
    setChoice(wanted);
    setPage(1);
  };
  const none = data?.total === 0 && isPlain(choice);
  return (
    <Page>
      <Stack gap={12}>
        <Section level={1} title={t('nav.billing')} lead={t('billing.lead')}>
          {!none && <InvoiceFilter choice={choice} onChoice={choose} />}
          {error && <LoadError error={error} onRetry={refetch} />}
          {isPending && <Skeleton lines={8} label={t('app.loading')} />}
          {none && (
            <EmptyState
              title={t('billing.empty.title')}
              action={
                <a
                  className={buttonClass({ variant: 'primary' })}
                  href={href('/management/subscription/new')}
                >
                  {t('subscriptions.empty.action')}
                </a>
              }
            >
              {t('billing.empty.text')}
            </EmptyState>
          )}
          {data?.total === 0 && !none && <p>{t('billing.filter.none')}</p>}
          {data && data.total > 0 && (
            <Stack gap={6}>
              <InvoiceTable invoices={data.items} />
              <ListPages nav="billing.pages" page={page} total={data.total} onPage={setPage} />
            </Stack>
          )}
        </Section>
        <PaymentMethods />
      </Stack>
    </Page>
  );
}
