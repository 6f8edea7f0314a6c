import { ListFilter } from '../../shop/list-filter.tsx';
import type { SubscriptionChoice } from '../../shop/subscriptions.ts';
import { useText } from '../../shop/texts.ts';

const statuses = ['provisioning', 'active', 'pastDue', 'expired'] as const;

/** Filter and order of the subscription list. */
export function SubscriptionFilter(props: {
  choice: SubscriptionChoice;
  onChoice: (choice: SubscriptionChoice) => void;
}) {
  const t = useText();
  return (
    <ListFilter
      {...props}
      statuses={statuses.map(value => ({
        value,
        // Covers failed payments and manual renewals.
        label: t(`subscription.status.${value === 'pastDue' ? 'due' : value}`),
      }))}
      sorts={[
        { value: 'newest', label: t('billing.sort.newest') },
        { value: 'oldest', label: t('billing.sort.oldest') },
        { value: 'soonest', label: t('subscriptions.sort.soonest') },
      ]}
    />
  );
}
