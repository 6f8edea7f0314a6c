import { StatusLabel } from '@fixpoint/ui/status.tsx';
import { useFormat } from '../../shop/format.ts';
import type { SubscriptionItem } from '../../shop/subscriptions.ts';
import { useText } from '../../shop/texts.ts';

const tones = { provisioning: 'info', active: 'good', pastDue: 'bad', expired: 'idle' } as const;

/**
 * State as text, colour and icon, with the last day of a cancelled subscription. Suspension
 * replaces everything else.
 */
export function SubscriptionStatus({ subscription }: { subscription: SubscriptionItem }) {
  const t = useText();
  const { date } = useFormat();
  const { status, cancelAtPeriodEnd, periodEnd, suspended, overdue, openInvoice } = subscription;
  if (suspended) {
    return <StatusLabel tone="bad">{t('subscription.status.suspended')}</StatusLabel>;
  }
  if (status !== 'expired' && cancelAtPeriodEnd && periodEnd) {
    // Nothing is due any more; it ends within moments.
    if (overdue) return <StatusLabel tone="idle">{t('subscription.status.expired')}</StatusLabel>;
    return (
      <StatusLabel tone="warn">{t('subscription.status.activeUntil', { date: date(periodEnd) })}</StatusLabel>
    );
  }
  // A payment under way makes up for the failed one; it counts as active until that is decided.
  const state = status === 'pastDue' && openInvoice?.onItsWay ? 'active' : status;
  // Manual renewal: no charge was tried, so none has failed.
  const manual = openInvoice && !openInvoice.nextTryAt && !openInvoice.stopped;
  const label = state === 'pastDue' && manual ? 'due' : state;
  return <StatusLabel tone={tones[state]}>{t(`subscription.status.${label}`)}</StatusLabel>;
}
