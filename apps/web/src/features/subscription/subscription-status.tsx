import { StatusLabel } from '@fixpoint/ui/status.tsx';
import { useFormat } from '../../shop/format.ts';
import type { SubscriptionItem } from '../../shop/subscriptions.ts';
import { useText } from '../../shop/texts.ts';

const tones = { provisioning: 'info', active: 'good', pastDue: 'bad', expired: 'idle' } as const;

/** The state in words, colour and icon; a cancelled one says until when it runs, a suspended one that alone. */
export function SubscriptionStatus({ subscription }: { subscription: SubscriptionItem }) {
  const t = useText();
  const { date } = useFormat();
  const { status, cancelAtPeriodEnd, periodEnd, suspended, overdue, openInvoice } = subscription;
  if (suspended) {
    return <StatusLabel tone="bad">{t('subscription.status.suspended')}</StatusLabel>;
  }
  if (status !== 'expired' && cancelAtPeriodEnd && periodEnd) {
    // Nothing is owed any more, and in a moment it has ended.
    if (overdue) return <StatusLabel tone="idle">{t('subscription.status.expired')}</StatusLabel>;
    return (
      <StatusLabel tone="warn">{t('subscription.status.activeUntil', { date: date(periodEnd) })}</StatusLabel>
    );
  }
  // What failed before is over for who has sent what was owed: it runs until that is decided.
  const state = status === 'pastDue' && openInvoice?.onItsWay ? 'active' : status;
  // Who pays by his own hand: nothing was tried that could have failed.
  const asked = openInvoice && !openInvoice.nextTryAt && !openInvoice.stopped;
  const says = state === 'pastDue' && asked ? 'due' : state;
  return <StatusLabel tone={tones[state]}>{t(`subscription.status.${says}`)}</StatusLabel>;
}
