import { ListFilter } from '../../shop/list-filter.tsx';
import type { SubscriptionChoice } from '../../shop/subscriptions.ts';
import { useText } from '../../shop/texts.ts';

export const subscriptionStatuses = ['provisioning', 'active', 'pastDue', 'expired'] as const;
export const subscriptionSorts = ['newest', 'oldest', 'soonest', 'name'] as const;

/** Search, filter and order of the subscription list. */
export function SubscriptionFilter(props: {
  /** Whether the list is long enough to be searched. */
  long: boolean;
  choice: SubscriptionChoice;
  onChoice: (change: SubscriptionChoice) => void;
}) {
  const t = useText();
  const { long, choice, onChoice } = props;
  return (
    <ListFilter
      search={long ? t('subscriptions.search') : undefined}
      choice={choice}
      onChoice={onChoice}
      statuses={subscriptionStatuses.map(value => ({
        value,
        // Covers failed payments and manual renewals.
        label: t(`subscription.status.${value === 'pastDue' ? 'due' : value}`),
      }))}
      sorts={[
        { value: 'newest', label: t('billing.sort.newest') },
        { value: 'oldest', label: t('billing.sort.oldest') },
        { value: 'soonest', label: t('subscriptions.sort.soonest') },
        { value: 'name', label: t('subscriptions.sort.name') },
      ]}
    />
  );
}
