import type { SubscriptionItem } from '../../shop/subscriptions.ts';

type Standing = Pick<
  SubscriptionItem,
  'cancelAtPeriodEnd' | 'replacedBy' | 'suspended' | 'overdue' | 'byHand' | 'billedAt'
>;

/**
 * The sentence that says how the renewal of a subscription stands, and the day that it names: the one on which it is
 * charged or its invoice comes, which is before the paid time is over; else the end of that.
 */
export function renewalSays(of: Standing, periodEnd: string) {
  if (of.cancelAtPeriodEnd && of.replacedBy) return { key: 'renewal.replaced', at: periodEnd } as const;
  if (of.cancelAtPeriodEnd) {
    return { key: of.overdue ? 'renewal.off.now' : 'renewal.off', at: periodEnd } as const;
  }
  if (of.suspended) return { key: 'renewal.suspended', at: periodEnd } as const;
  // What is owed is said above, and until when.
  if (!of.billedAt) return { key: 'renewal.on.paid', at: periodEnd } as const;
  return { key: of.byHand ? 'renewal.on.byHand' : 'renewal.on', at: of.billedAt } as const;
}
