import type { SubscriptionItem } from '../../shop/subscriptions.ts';

type RenewalState = Pick<
  SubscriptionItem,
  'cancelAtPeriodEnd' | 'replacedBy' | 'suspended' | 'overdue' | 'byHand' | 'billedAt'
>;

/**
 * Text key of a subscription's renewal state, and its date: the day of the charge or invoice, which
 * is before the end of the paid period; else that end.
 */
export function renewalText(of: RenewalState, periodEnd: string) {
  if (of.cancelAtPeriodEnd && of.replacedBy) return { key: 'renewal.replaced', at: periodEnd } as const;
  if (of.cancelAtPeriodEnd) {
    return { key: of.overdue ? 'renewal.off.now' : 'renewal.off', at: periodEnd } as const;
  }
  if (of.suspended) return { key: 'renewal.suspended', at: periodEnd } as const;
  // The open invoice is shown above, with its date.
  if (!of.billedAt) return { key: 'renewal.on.paid', at: periodEnd } as const;
  return { key: of.byHand ? 'renewal.on.byHand' : 'renewal.on', at: of.billedAt } as const;
}
