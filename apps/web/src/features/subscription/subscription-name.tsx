import { type SubscriptionItem, subscriptionName } from '../../shop/subscriptions.ts';

/** Name of a subscription. A translator leaves a label and an address as they are. */
export function SubscriptionName({ subscription }: { subscription: SubscriptionItem }) {
  const given = subscription.label ?? subscription.address;
  return <span translate={given ? 'no' : undefined}>{subscriptionName(subscription)}</span>;
}
