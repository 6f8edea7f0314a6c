import type { Transitions } from '../kernel/machine.ts';

/** Subscription (T1). */
export type SubscriptionStatus = 'provisioning' | 'active' | 'pastDue' | 'expired';

export const subscriptionTransitions = {
  provisioning: ['active', 'expired'],
  active: ['pastDue', 'expired'],
  pastDue: ['active', 'expired'],
  expired: ['provisioning'],
} as const satisfies Transitions<SubscriptionStatus>;

export type SubscriptionAction =
  | 'addKey'
  | 'cancel'
  | 'resume'
  | 'reactivate'
  | 'upgrade'
  | 'adjustBandwidth';

/** What the customer may do now. The web client shows just these; the server checks the same list. */
export function allowedActions(s: {
  status: SubscriptionStatus;
  cancelAtPeriodEnd: boolean;
}): SubscriptionAction[] {
  switch (s.status) {
    case 'provisioning':
      return [];
    case 'active':
      return s.cancelAtPeriodEnd
        ? ['addKey', 'resume', 'adjustBandwidth']
        : ['addKey', 'cancel', 'upgrade', 'adjustBandwidth'];
    case 'pastDue':
      return s.cancelAtPeriodEnd ? ['addKey', 'adjustBandwidth'] : ['addKey', 'cancel', 'adjustBandwidth'];
    case 'expired':
      return ['reactivate'];
    default: {
      const never: never = s.status;
      throw new Error(String(never));
    }
  }
}
