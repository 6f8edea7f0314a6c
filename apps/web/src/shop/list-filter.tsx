import { Cluster } from '@fixpoint/ui/layout.tsx';
import { Select } from '@fixpoint/ui/select.tsx';
import { useText } from './texts.ts';

type Option<Value> = { value: Value; label: string };

/** Filter by state, and order of a list. */
export function ListFilter<Status extends string, Sort extends string>(props: {
  statuses: readonly Option<Status>[];
  sorts: readonly Option<Sort>[];
  choice: { status?: Status | undefined; sort?: Sort | undefined };
  onChoice: (choice: { status: Status | undefined; sort: Sort | undefined }) => void;
}) {
  const t = useText();
  const { statuses, sorts, choice, onChoice } = props;
  const { status, sort } = choice;
  const chosenOf = <Value extends string>(options: readonly Option<Value>[], text: string) =>
    options.find(({ value }) => value === text)?.value;
  return (
    <Cluster>
      <Select
        label={t('billing.status')}
        width="m"
        value={status ?? ''}
        options={[{ value: '', label: t('billing.filter.all') }, ...statuses]}
        onChange={({ target }) => onChoice({ status: chosenOf(statuses, target.value), sort })}
      />
      <Select
        label={t('billing.sort')}
        width="m"
        value={sort}
        options={[...sorts]}
        onChange={({ target }) => onChoice({ status, sort: chosenOf(sorts, target.value) })}
      />
    </Cluster>
  );
}
