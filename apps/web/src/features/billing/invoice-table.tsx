import type { Invoice } from '../../shop/billing.ts';
import { useFormat } from '../../shop/format.ts';
import { planName } from '../../shop/plan-name.ts';
import { useText } from '../../shop/texts.ts';
import { StatusLabel } from '../../ui/status.tsx';
import { Table } from '../../ui/table.tsx';

const tones = { open: 'warn', paid: 'good', void: 'idle' } as const;

/** Invoices (W22); one below the other on phones. */
export function InvoiceTable({ invoices }: { invoices: readonly Invoice[] }) {
  const t = useText();
  const { date, money } = useFormat();
  return (
    <Table
      caption={t('billing.invoices')}
      hideCaption
      rows={invoices}
      rowKey={invoice => invoice.id}
      columns={[
        { key: 'number', header: t('billing.number'), mono: true, cell: invoice => invoice.number },
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
          cell: ({ status }) => (
            <StatusLabel tone={tones[status]}>{t(`billing.status.${status}`)}</StatusLabel>
          ),
        },
        {
          key: 'total',
          header: t('billing.total'),
          align: 'end',
          cell: ({ total }) => money(total.price, total.currency),
        },
      ]}
    />
  );
}
