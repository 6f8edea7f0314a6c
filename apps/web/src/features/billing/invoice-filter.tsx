import { Select } from '@fixpoint/ui/select.tsx';
import { type InvoiceChoice, useBilledYears } from '../../shop/billing.ts';
import { ListFilter } from '../../shop/list-filter.tsx';
import { useText } from '../../shop/texts.ts';

export const invoiceStatuses = ['open', 'paid', 'void'] as const;
export const invoiceSorts = ['newest', 'oldest', 'highest', 'lowest'] as const;

/** Search, filter and order of the invoice list. */
export function InvoiceFilter(props: {
  choice: InvoiceChoice;
  onChoice: (change: Partial<InvoiceChoice>) => void;
}) {
  const t = useText();
  const { choice, onChoice } = props;
  const years = useBilledYears().data?.years ?? [];
  return (
    <ListFilter
      search={t('billing.search')}
      choice={choice}
      onChoice={onChoice}
      statuses={invoiceStatuses.map(value => ({ value, label: t(`billing.status.${value}`) }))}
      sorts={invoiceSorts.map(value => ({ value, label: t(`billing.sort.${value}`) }))}
    >
      <Select
        label={t('billing.year')}
        width="m"
        value={choice.year ?? ''}
        options={[
          { value: '', label: t('billing.year.all') },
          ...years.map(({ year }) => ({ value: String(year), label: String(year) })),
        ]}
        onChange={({ target }) => onChoice({ year: target.value ? Number(target.value) : undefined })}
      />
    </ListFilter>
  );
}
