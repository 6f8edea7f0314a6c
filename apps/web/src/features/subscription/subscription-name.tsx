import { type SubscriptionItem, subscriptionName } from '../../shop/subscriptions.ts';
import { useText } from '../../shop/texts.ts';

/** Name of a subscription, "Subscription" until it is known. A translator leaves a label and an address as they are. */
export function SubscriptionName({ subscription }: { subscription: SubscriptionItem | undefined }) {
  const t = useText();
  const given = subscription?.label ?? subscription?.address;
  return (
    <span translate={given ? 'no' : undefined}>
      {subscription ? subscriptionName(subscription) : t('subscription.title')}
    </span>
  );
}
