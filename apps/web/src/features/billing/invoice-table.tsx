import { Table, WideOnly } from '@fixpoint/ui/table.tsx';
import { dayOf, type Invoice } from '../../shop/billing.ts';
import { useFormat } from '../../shop/format.ts';
import { useHref } from '../../shop/links.ts';
import { planName } from '../../shop/plan-name.ts';
import { useText } from '../../shop/texts.ts';
import { DownloadDocument } from './download-document.tsx';
import { InvoiceStatus } from './invoice-status.tsx';

/**
 * Invoices as a table; two lines each on a phone.
 * @param props `ofOne`: all are of one subscription, which the page names
 */
export function InvoiceTable(props: { invoices: readonly Invoice[]; ofOne?: boolean; busy?: boolean }) {
  const { invoices, ofOne, busy } = props;
  const t = useText();
  const href = useHref();
  const { shortDate, money } = useFormat();
  return (
    <Table
      caption={t('billing.invoices')}
      hideCaption
      dense
      busy={busy}
      rows={invoices}
      rowKey={invoice => invoice.id}
      columns={[
        {
          key: 'number',
          header: t('billing.number'),
          mono: true,
          phone: 'line1',
          cell: ({ id, number }) => <a href={href(`/management/billing/${id}`)}>{number}</a>,
        },
        {
          key: 'date',
          header: t('billing.date'),
          phone: 'line1',
          cell: invoice => shortDate(dayOf(invoice)),
        },
        ...(ofOne
          ? []
          : [
              {
                key: 'subscription',
                header: t('subscription.title'),
                phone: 'line2' as const,
                cell: ({ subscription }: Invoice) => subscription && <Named {...subscription} />,
              },
            ]),
        {
          key: 'product',
          header: t('billing.product'),
          phone: 'line2',
          cell: invoice => t(`billing.product.${invoice.productType}`),
        },
        { key: 'plan', header: t('billing.plan'), cell: invoice => planName(invoice.planId) },
        {
          key: 'method',
          header: t('billing.method'),
          cell: ({ paymentMethod }) => (paymentMethod ? t(`billing.method.${paymentMethod}`) : '–'),
        },
        {
          key: 'status',
          header: t('billing.status'),
          phone: 'line1End',
          cell: ({ status }) => <InvoiceStatus status={status} />,
        },
        {
          key: 'total',
          header: t('billing.total'),
          align: 'end',
          phone: 'line2End',
          cell: ({ total }) => money(total.price, total.currency),
        },
        {
          key: 'pdf',
          header: 'PDF',
          phone: 'line2End',
          cell: ({ documentId, status, number }) =>
            documentId ? (
              <DownloadDocument
                id={documentId}
                kind={status === 'paid' ? 'receipt' : 'invoice'}
                number={number}
                small
              />
            ) : (
              // A receipt waits for the paid period. A void invoice has no document.
              <span className="muted">{status === 'void' ? '–' : t('billing.documents.soon')}</span>
            ),
        },
      ]}
    />
  );
}

/** A subscription by its label, with its address below; by its address alone without one. */
function Named({ id, label, address }: NonNullable<Invoice['subscription']>) {
  const t = useText();
  const href = useHref();
  return (
    <>
      <a href={href(`/management/subscription/${id}`)} translate={label || address ? 'no' : undefined}>
        {label ?? address ?? t('subscription.title')}
      </a>
      {label && address && (
        <>
          {' '}
          <WideOnly>
            <span className="muted mono" translate="no">
              {address}
            </span>
          </WideOnly>
        </>
      )}
    </>
  );
}
