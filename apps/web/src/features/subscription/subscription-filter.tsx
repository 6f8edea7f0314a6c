import type { SubscriptionChoice } from '../../shop/subscriptions.ts';
import { useText } from '../../shop/texts.ts';
import { Cluster } from '../../ui/layout.tsx';
import { Select } from '../../ui/select.tsx';

const statuses = ['provisioning', 'active', 'pastDue', 'expired'] as const;
const sorts = ['newest', 'oldest', 'soonest'] as const;
const sortNames = {
  newest: 'billing.sort.newest',
  oldest: 'billing.sort.oldest',
  soonest: 'subscriptions.sort.soonest',
} as const;

/** Which subscriptions are listed, and in which order. */
export function SubscriptionFilter(props: {
  choice: SubscriptionChoice;
  onChoice: (choice: SubscriptionChoice) => void;
}) {
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
          ...statuses.map(value => ({ value, label: t(`subscription.status.${value}`) })),
        ]}
        onChange={({ target }) =>
          onChoice({ ...choice, status: statuses.find(status => status === target.value) })
        }
      />
      <Select
        label={t('billing.sort')}
        width="m"
        value={choice.sort}
        options={sorts.map(value => ({ value, label: t(sortNames[value]) }))}
        onChange={({ target }) => onChoice({ ...choice, sort: sorts.find(sort => sort === target.value) })}
      />
    </Cluster>
  );
}
