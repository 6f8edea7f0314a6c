import { buttonClass } from '@fixpoint/ui/button.tsx';
import { Cluster, Section, Stack } from '@fixpoint/ui/layout.tsx';
import { SummaryList } from '@fixpoint/ui/summary-list.tsx';
import { Table } from '@fixpoint/ui/table.tsx';
import { type InvoiceDetail as Detail, dayOf } from '../../shop/billing.ts';
import { brandName } from '../../shop/card-name.ts';
import { useFormat } from '../../shop/format.ts';
import { useHref } from '../../shop/links.ts';
import { planName } from '../../shop/plan-name.ts';
import { useText } from '../../shop/texts.ts';
import { DownloadDocument } from './download-document.tsx';
import { InvoiceStatus } from './invoice-status.tsx';

/** All details of an invoice, its credit notes and its documents. */
export function InvoiceDetail({ of: invoice }: { of: Detail }) {
  const t = useText();
  const href = useHref();
  const { date, money } = useFormat();
  const { subscription, card, paymentMethod, periodStart, periodEnd, total, settled, subscriptionId } =
    invoice;
  const amount = (minor: number) => money(minor, total.currency);
  const less = (term: string, minor: number) =>
    minor > 0 ? [{ term, value: amount(-minor), tone: 'credit' as const }] : [];
  const method = card
    ? `${brandName(card.brand)} •••• ${card.last4}`
    : paymentMethod && t(`billing.method.${paymentMethod}`);
  return (
    <Stack gap={12}>
      <SummaryList
        rows={[
          { term: t('billing.status'), value: <InvoiceStatus status={invoice.status} /> },
          { term: t('billing.date'), value: date(dayOf(invoice)) },
          { term: t('billing.product'), value: t(`billing.product.${invoice.productType}`) },
          { term: t('billing.plan'), value: planName(invoice.planId) },
          ...(subscription
            ? [{ term: t('subscription.title'), value: <Subscription {...subscription} /> }]
            : []),
          ...(method ? [{ term: t('billing.method'), value: method }] : []),
          ...(periodStart && periodEnd
            ? [{ term: t('billing.period'), value: `${date(periodStart)} – ${date(periodEnd)}` }]
            : []),
        ]}
      />
      <Table
        caption={t('billing.items')}
        hideCaption
        rows={invoice.lines}
        rowKey={line => JSON.stringify(line)}
        columns={[
          {
            key: 'item',
            header: t('billing.item'),
            phone: 'headline',
            // Names as of the invoice's date: a later renaming changes no invoice.
            cell: ({ text: { kind, plan, place: region, cycleCount: months, days = 0, label, address } }) =>
              [
                kind === 'period'
                  ? t('billing.line', { plan, region, months })
                  : t(`billing.line.${kind}`, { plan, region, days }),
                ...[label, address].filter(Boolean),
              ].join(' · '),
          },
          { key: 'net', header: t('billing.net'), align: 'end', cell: line => amount(line.amount.net) },
          { key: 'vat', header: t('billing.vat'), align: 'end', cell: line => amount(line.amount.vat) },
          {
            key: 'total',
            header: t('billing.total'),
            align: 'end',
            cell: line => amount(line.amount.price),
          },
        ]}
      />
      <SummaryList
        rows={[
          { term: t('billing.net'), value: amount(total.net) },
          { term: t('billing.vat'), value: amount(total.vat) },
          { term: t('billing.total'), value: amount(total.price), strong: true },
          ...(settled
            ? [
                ...less(t('billing.carried'), settled.prorated),
                ...(settled.carriedIn
                  ? [{ term: t('billing.carriedIn'), value: amount(settled.carriedIn) }]
                  : []),
                ...less(t('billing.creditUsed'), settled.creditUsed),
                ...less(t('order.summary.carried'), settled.carriedOut ?? 0),
                ...less(t('billing.paid'), settled.paid),
                { term: t('billing.due'), value: amount(settled.due), strong: true },
              ]
            : []),
          ...invoice.creditNotes.map(note => ({
            term: t('billing.refunded'),
            value: amount(note.total.price),
            note: `${date(note.issuedAt)} · ${note.number} · ${note.reason}`,
            tone: 'credit' as const,
          })),
        ]}
      />
      {invoice.status === 'open' && invoice.productType === 'renewal' && subscriptionId && (
        <p>
          <a
            className={buttonClass({ variant: 'primary' })}
            href={href(`/management/subscription/${subscriptionId}/pay`)}
          >
            {t('renewal.payOther')}
          </a>
        </p>
      )}
      {invoice.status !== 'void' && (
        <Section title={t('billing.documents')}>
          {invoice.documents.length === 0 && <p className="muted">{t('billing.documents.none')}</p>}
          <Cluster>
            {invoice.documents.map(document => (
              <DownloadDocument key={document.id} {...document} />
            ))}
          </Cluster>
        </Section>
      )}
    </Stack>
  );
}

function Subscription({ id, label, address }: NonNullable<Detail['subscription']>) {
  const t = useText();
  const href = useHref();
  const name = [label, address].filter(Boolean).join(' · ') || t('subscription.title');
  return <a href={href(`/management/subscription/${id}`)}>{name}</a>;
}
