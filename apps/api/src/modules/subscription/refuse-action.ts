import { subjectFaults } from '@fixpoint/contract/errors.ts';
import type { Refusal as Reason } from '@fixpoint/domain/subscription/subscription.ts';
import { type Refusal, refuse, refuseFields } from '../../kernel/refusal.ts';

/** Refuses an action on a subscription, also for a reason that the catalogue has no code for. */
export function refuseAction(reason: Reason): Refusal {
  if (reason === 'ended') return refuseFields({ id: subjectFaults.subscriptionEnded });
  if (reason === 'notNow') return refuseFields({ id: subjectFaults.subscriptionNotNow });
  return refuse(reason);
}
