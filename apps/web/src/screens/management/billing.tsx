import { buttonClass } from '@fixpoint/ui/button.tsx';
import { EmptyState } from '@fixpoint/ui/empty-state.tsx';
import { Page, Section, Stack } from '@fixpoint/ui/layout.tsx';
import { Skeleton } from '@fixpoint/ui/progress.tsx';
import { CompanySection } from '../../features/billing/company-section.tsx';
import { InvoiceFilter, invoiceSorts, invoiceStatuses } from '../../features/billing/invoice-filter.tsx';
import { InvoiceTable } from '../../features/billing/invoice-table.tsx';
import { YearExport } from '../../features/billing/year-export.tsx';
import { PaymentMethods } from '../../features/pay/card/payment-methods.tsx';
import { useCompany } from '../../forms/company.ts';
import { type InvoiceChoice, isPlain, useBilledYears, useCards, useInvoices } from '../../shop/billing.ts';
import { useHref } from '../../shop/links.ts';
import { useListAddress } from '../../shop/list-address.ts';
import { ListPages, ListRange } from '../../shop/list-pages.tsx';
import { LoadError } from '../../shop/load-error.tsx';
import { useText } from '../../shop/texts.ts';

/** The payment methods, and all invoices, newest first. */
export function Screen() {
  const t = useText();
  const cards = useCards();
  const years = useBilledYears();
  const company = useCompany();
  // Nothing moves down when the payment methods come.
  const waits = cards.isPending || years.isPending || company.isPending;
  return (
    <Page>
      <Stack gap={12}>
        <Section level={1} title={t('nav.billing')} lead={t('billing.lead')} />
        <PaymentMethods />
        {!waits && <CompanySection />}
        {!waits && <Invoices />}
      </Stack>
    </Page>
  );
}

function Invoices() {
  const t = useText();
  const href = useHref();
  const { page, oneOf, text, change, turn } = useListAddress();
  const year = Number(text('year'));
  const choice: InvoiceChoice = {
    status: oneOf('status', invoiceStatuses),
    sort: oneOf('sort', invoiceSorts) ?? 'newest',
    search: text('search'),
    year: Number.isInteger(year) && year >= 2000 && year <= 9999 ? year : undefined,
  };
  const { data, error, isPending, isPlaceholderData, refetch } = useInvoices(page, choice);
  const none = data?.total === 0 && isPlain(choice);
  return (
    <Section title={t('billing.invoices')}>
      {!none && <InvoiceFilter choice={choice} onChoice={change} />}
      {!none && <YearExport year={choice.year} />}
      {error && <LoadError error={error} onRetry={refetch} />}
      {isPending && <Skeleton lines={8} label={t('app.loading')} />}
      {none && (
        <EmptyState
          title={t('billing.empty.title')}
          action={
            <a className={buttonClass({ variant: 'primary' })} href={href('/management/subscription/new')}>
              {t('subscriptions.empty.action')}
            </a>
          }
        >
          {t('billing.empty.text')}
        </EmptyState>
      )}
      {!none && <ListRange page={page} total={isPlaceholderData ? undefined : data?.total} />}
      {data?.total === 0 && !none && <p>{t('list.none')}</p>}
      {data && data.total > 0 && (
        <Stack gap={6}>
          <InvoiceTable invoices={data.items} busy={isPlaceholderData} />
          <ListPages nav="billing.pages" page={page} total={data.total} onPage={turn} />
        </Stack>
      )}
    </Section>
  );
}
