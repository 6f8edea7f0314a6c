import { Copyable } from '@fixpoint/ui/copyable.tsx';
import { Stack } from '@fixpoint/ui/layout.tsx';
import { useFormat } from '../../shop/format.ts';
import type { SubscriptionItem } from '../../shop/subscriptions.ts';
import { useText } from '../../shop/texts.ts';

/**
 * The static IP with a copy button; for an ended subscription how long it is reserved; else why
 * there is none yet.
 */
export function SubscriptionAddress({
  subscription,
  size,
}: {
  subscription: SubscriptionItem;
  size?: 'm' | 'l';
}) {
  const t = useText();
  const { date } = useFormat();
  const { address, addressHeldUntil, status } = subscription;
  if (!address) return status === 'provisioning' ? <p>{t('subscription.addressPending')}</p> : null;
  return (
    <Stack gap={1}>
      <Copyable
        value={address}
        label={t('subscription.address')}
        copyLabel={t('app.copy')}
        copiedLabel={t('app.copied')}
        size={size}
      />
      {addressHeldUntil && (
        <p className="muted">{t('subscription.addressHeld', { date: date(addressHeldUntil) })}</p>
      )}
    </Stack>
  );
}
