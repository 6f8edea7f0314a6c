import type { SubscriptionItem } from '../../shop/subscriptions.ts';
import { useText } from '../../shop/texts.ts';
import { Copyable } from '../../ui/copyable.tsx';

/** The static IP with a copy button, or why there is none yet. */
export function SubscriptionAddress({
  subscription,
  size,
}: {
  subscription: SubscriptionItem;
  size?: 'm' | 'l';
}) {
  const t = useText();
  if (!subscription.address) {
    return subscription.status === 'provisioning' ? <p>{t('subscription.addressPending')}</p> : null;
  }
  return (
    <Copyable
      value={subscription.address}
      label={t('subscription.address')}
      copyLabel={t('app.copy')}
      copiedLabel={t('app.copied')}
      size={size}
    />
  );
}
