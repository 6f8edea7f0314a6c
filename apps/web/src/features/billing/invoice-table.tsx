import { Table } from '@fixpoint/ui/table.tsx';
import type { Invoice } from '../../shop/billing.ts';
import { useFormat } from '../../shop/format.ts';
import { useHref } from '../../shop/links.ts';
import { planName } from '../../shop/plan-name.ts';
import { useText } from '../../shop/texts.ts';
import { DownloadDocument } from './download-document.tsx';
import { InvoiceStatus } from './invoice-status.tsx';

/** Invoices as a table; stacked on phones. */
export function InvoiceTable({ invoices }: { invoices: readonly Invoice[] }) {
  const t = useText();
  const href = useHref();
  const { date, money } = useFormat();
  return (
    <Table
      caption={t('billing.invoices')}
      hideCaption
      rows={invoices}
      rowKey={invoice => invoice.id}
      columns={[
        {
          key: 'number',
          header: t('billing.number'),
          mono: true,
          cell: ({ id, number }) => <a href={href(`/management/billing/${id}`)}>{number}</a>,
        },
        { key: 'date', header: t('billing.date'), cell: invoice => date(invoice.issuedAt) },
        {
          key: 'product',
          header: t('billing.product'),
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
          cell: ({ status }) => <InvoiceStatus status={status} />,
        },
        {
          key: 'total',
          header: t('billing.total'),
          align: 'end',
          cell: ({ total }) => money(total.price, total.currency),
        },
        {
          key: 'pdf',
          header: 'PDF',
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
