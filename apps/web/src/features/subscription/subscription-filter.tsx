import { ListFilter } from '../../shop/list-filter.tsx';
import type { SubscriptionChoice } from '../../shop/subscriptions.ts';
import { useText } from '../../shop/texts.ts';

const statuses = ['provisioning', 'active', 'pastDue', 'expired'] as const;

/** Which subscriptions are listed, and in which order. */
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
        // Of those whose payment failed, and of those who pay by hand.
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
