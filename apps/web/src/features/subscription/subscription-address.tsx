import { Copyable } from '@fixpoint/ui/copyable.tsx';
import { Stack } from '@fixpoint/ui/layout.tsx';
import { useFormat } from '../../shop/format.ts';
import type { SubscriptionItem } from '../../shop/subscriptions.ts';
import { useText } from '../../shop/texts.ts';

/**
 * The static IP with a copy button, unless it is the subscription's name already; for an ended
 * subscription how long it is reserved, or that it is not; else why there is none yet.
 */
export function SubscriptionAddress({
  subscription,
  size,
}: {
  subscription: Pick<SubscriptionItem, 'address' | 'addressHeldUntil' | 'label' | 'status'>;
  size?: 'm' | 'l';
}) {
  const t = useText();
  const { date } = useFormat();
  const { address, addressHeldUntil, label, status } = subscription;
  const copy = useCopy(address ?? '');
  if (!address) {
    return <p>{t(status === 'expired' ? 'subscription.addressGone' : 'subscription.addressPending')}</p>;
  }
  if (!label && !addressHeldUntil) return null;
  return (
    <Stack gap={1}>
      {label && <Copyable {...copy} size={size} />}
      {addressHeldUntil && (
        <p className="muted">{t('subscription.addressHeld', { date: date(addressHeldUntil) })}</p>
      )}
    </Stack>
  );
}

/** Copies the address beside it, which is the name of a subscription without a label. */
export function CopyAddress({
  subscription: { address, label },
}: {
  subscription: Pick<SubscriptionItem, 'address' | 'label'>;
}) {
  const copy = useCopy(address ?? '');
  return address && !label ? <Copyable {...copy} buttonOnly /> : null;
}

/** Value and texts of a copy button of an address. */
export function useCopy(address: string) {
  const t = useText();
  return {
    value: address,
    label: t('subscription.address'),
    copyLabel: t('app.copy'),
    copiedLabel: t('app.copied'),
  };
}
