import type { InvoiceChoice } from '../../shop/billing.ts';
import { ListFilter } from '../../shop/list-filter.tsx';
import { useText } from '../../shop/texts.ts';

const statuses = ['open', 'paid', 'void'] as const;
const sorts = ['newest', 'oldest', 'highest', 'lowest'] as const;

/** Filter and order of the invoice list. */
export function InvoiceFilter(props: { choice: InvoiceChoice; onChoice: (choice: InvoiceChoice) => void }) {
  const t = useText();
  return (
    <ListFilter
      {...props}
      statuses={statuses.map(value => ({ value, label: t(`billing.status.${value}`) }))}
      sorts={sorts.map(value => ({ value, label: t(`billing.sort.${value}`) }))}
    />
  );
}
