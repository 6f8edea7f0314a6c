import { canMove, type Transitions } from '../kernel/machine.ts';

/**
 * One try to get the money for an invoice. `created`: the provider is asked or about to be, nothing is known yet.
 * `open`: the customer can pay. `failed`: refused, but the provider would still take it with another card. `closed`: no
 * money will come, by the provider's own word; absence at the provider is never taken for it.
 */
export type AttemptStatus = 'created' | 'open' | 'processing' | 'succeeded' | 'failed' | 'closed';

/** What a provider can say of it. `approved`: the customer has agreed there, and the money waits for us to take it. */
export type ReportedState = Exclude<AttemptStatus, 'created'> | 'approved';

// Success wins from every state: money that has arrived is paid or given back, never forgotten.
export const attemptTransitions = {
  created: ['open', 'processing', 'succeeded', 'failed', 'closed'],
  open: ['processing', 'succeeded', 'failed', 'closed'],
  processing: ['open', 'succeeded', 'failed', 'closed'],
  failed: ['open', 'processing', 'succeeded', 'closed'],
  closed: ['succeeded'],
  succeeded: [],
} as const satisfies Transitions<AttemptStatus>;

/** Attempts that are being paid: at most one of them at a time for an invoice. */
export const openAttempt: readonly AttemptStatus[] = ['created', 'open', 'processing'];

/** Attempts that could still take money: they are closed at the provider when the invoice wants none any more. */
export const payableAttempt: readonly AttemptStatus[] = [...openAttempt, 'failed'];

/**
 * Monotone: what the provider reports is taken over only where the table allows it, so disorder does no harm. What was
 * agreed to is taken from there on; not so what was refused, which would be refused again without anybody's hand.
 */
export function followProvider(status: AttemptStatus, reported: ReportedState): AttemptStatus {
  if (reported === 'approved') return openAttempt.includes(status) ? 'processing' : status;
  return canMove<AttemptStatus>(attemptTransitions, status, reported) ? reported : status;
}

const MINUTE_MS = 60_000;
/** Longer than a call of ours to a provider lives. */
const TAKING_MS = MINUTE_MS / 2;

/** Whether somebody may be taking its money at this moment: he is left to it, and it is not closed behind his back. */
export const mayBeCaptured = (status: AttemptStatus, last: Date, now: Date): boolean =>
  status === 'processing' && now.getTime() - last.getTime() < TAKING_MS;

const ASK_AFTER_MINUTES = [1, 5, 60, 24 * 60] as const;

/**
 * When a provider is asked again about what nobody brings news of: after a minute, then five, an hour, a day, counted
 * from the last news; and when its offer ends.
 * @param last the last news, `now` what a clock says
 */
export function nextAsk(last: Date, now: Date, offerEnds?: Date | null): Date {
  const quiet = (now.getTime() - last.getTime()) / MINUTE_MS;
  const wait = ASK_AFTER_MINUTES.find(minutes => minutes > quiet) ?? quiet + ASK_AFTER_MINUTES.at(-1)!;
  const next = new Date(last.getTime() + wait * MINUTE_MS);
  return offerEnds && offerEnds > now && offerEnds < next ? offerEnds : next;
}

/** Its owner has to agree at his bank, which nobody does while we charge alone. */
const ASKS_OWNER = 'authentication_required';

/**
 * Declines that stay what they are: the same card or account would be refused again, and networks fine whoever goes on
 * trying. Stripe's words in small emails, PayPal's in capitals.
 */
const HARD = new Set([
  ...['lost_card', 'stolen_card', 'pickup_card', 'restricted_card', 'fraudulent', 'do_not_try_again'],
  ...['expired_card', 'incorrect_number', 'invalid_account', 'card_not_supported', 'currency_not_supported'],
  ...['revocation_of_authorization', 'revocation_of_all_authorizations', 'stop_payment_order'],
  ...['transaction_not_allowed', 'security_violation', 'service_not_allowed'],
  ASKS_OWNER,
  ...['PAYER_CANNOT_PAY', 'PAYER_ACCOUNT_RESTRICTED', 'PAYER_ACCOUNT_LOCKED_OR_CLOSED', 'TOKEN_ID_NOT_FOUND'],
]);

/** Whether what was refused so is not to be charged again without its owner's hand. */
export const isHardDecline = (declineCode: string | undefined): boolean =>
  declineCode !== undefined && HARD.has(declineCode);

/** Whether the bank would take it as soon as its owner agrees. */
export const asksOwner = (declineCode: string | undefined): boolean => declineCode === ASKS_OWNER;

/**
 * Name of the refusal that a customer sees for a provider's decline. Never says lost, stolen or fraudulent.
 */
export const declineRefusal = (declineCode: string | undefined): 'insufficientFunds' | 'cardDeclined' =>
  declineCode === 'insufficient_funds' ? 'insufficientFunds' : 'cardDeclined';
