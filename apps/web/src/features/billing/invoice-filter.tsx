import type { InvoiceChoice } from '../../shop/billing.ts';
import { useText } from '../../shop/texts.ts';
import { Cluster } from '../../ui/layout.tsx';
import { Select } from '../../ui/select.tsx';

const statuses = ['open', 'paid', 'void'] as const;
const sorts = ['newest', 'oldest', 'highest', 'lowest'] as const;

/** Which invoices are listed, and in which order. */
export function InvoiceFilter(props: { choice: InvoiceChoice; onChoice: (choice: InvoiceChoice) => void }) {
  const t = useText();
  const { choice, onChoice } = props;
  return (
    <Cluster>
      <Select
        label={t('billing.status')}
        width="m"
        value={choice.status ?? ''}
        options={[
          { value: '', label: t('billing.filter.all') },
          ...statuses.map(value => ({ value, label: t(`billing.status.${value}`) })),
        ]}
        onChange={({ target }) =>
          onChoice({ ...choice, status: statuses.find(status => status === target.value) })
        }
      />
      <Select
        label={t('billing.sort')}
        width="m"
        value={choice.sort}
        options={sorts.map(value => ({ value, label: t(`billing.sort.${value}`) }))}
        onChange={({ target }) => onChoice({ ...choice, sort: sorts.find(sort => sort === target.value) })}
      />
    </Cluster>
  );
}
