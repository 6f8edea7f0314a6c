import { chargeAt } from '@fixpoint/domain/subscription/renewal.ts';
import type { EmailContext } from './define-email.ts';
import { type SubscriptionFacts, subscriptionFacts } from './subscription-facts.ts';

/** Loads a subscription whose next renewals somebody will pay: it has not ended and is not cancelled. */
export async function subscriptionToRenew(context: EmailContext): Promise<SubscriptionFacts | undefined> {
  const facts = await subscriptionFacts(context);
  return facts?.row.cancel_at_period_end || facts?.row.status === 'expired' ? undefined : facts;
}

/**
 * Names the day before which the subscription must be cancelled: the first period at the new price is charged then. Nothing
 * once that day is over.
 */
export const cancelBefore = (
  { t }: EmailContext,
  { day, isPast }: SubscriptionFacts,
  from: Date,
): string[] => {
  const charged = chargeAt({ start: from, end: from });
  return isPast(charged) ? [] : [t('renewalAhead.note', { date: day(charged) })];
};
