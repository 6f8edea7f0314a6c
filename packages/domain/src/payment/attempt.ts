import { canMove, type Transitions } from '../kernel/machine.ts';

/**
 * One try to collect an invoice. `created`: the provider is being asked, nothing is known yet.
 * `open`: the customer can pay. `failed`: declined, but another card would still be taken.
 * `closed`: the provider has said that no money will come; absence at the provider never counts as
 * that.
 */
export type AttemptStatus = 'created' | 'open' | 'processing' | 'succeeded' | 'failed' | 'closed';

/**
 * States that a provider can report. `approved`: the customer has agreed there, and the payment
 * waits for our capture.
 */
export type ReportedState = Exclude<AttemptStatus, 'created'> | 'approved';

// Success wins from every state: money that has arrived is applied or refunded, never forgotten.
export const attemptTransitions = {
  created: ['open', 'processing', 'succeeded', 'failed', 'closed'],
  open: ['processing', 'succeeded', 'failed', 'closed'],
  processing: ['open', 'succeeded', 'failed', 'closed'],
  failed: ['open', 'processing', 'succeeded', 'closed'],
  closed: ['succeeded'],
  succeeded: [],
} as const satisfies Transitions<AttemptStatus>;

/** Attempts in progress: at most one at a time per invoice. */
export const openAttempt: readonly AttemptStatus[] = ['created', 'open', 'processing'];

/**
 * Attempts that could still take money. They are closed at the provider when the invoice needs none
 * any more.
 */
export const payableAttempt: readonly AttemptStatus[] = [...openAttempt, 'failed'];

/**
 * Applies a reported state, monotonically: only where the table allows it, so the order of reports
 * does not matter. An approval leads to a capture, except after a decline: the capture would be
 * declined again without the customer's action.
 */
export function followProvider(status: AttemptStatus, reported: ReportedState): AttemptStatus {
  if (reported === 'approved') return openAttempt.includes(status) ? 'processing' : status;
  return canMove<AttemptStatus>(attemptTransitions, status, reported) ? reported : status;
}

const MINUTE_MS = 60_000;
/** Longer than a call to a provider can take. */
const CAPTURE_MS = MINUTE_MS / 2;

/**
 * Whether another process may be capturing its money right now, so that the attempt must not be
 * closed meanwhile.
 */
export const mayBeCaptured = (status: AttemptStatus, last: Date, now: Date): boolean =>
  status === 'processing' && now.getTime() - last.getTime() < CAPTURE_MS;

const POLL_AFTER_MINUTES = [1, 5, 60, 24 * 60] as const;

/**
 * When to poll the provider for an attempt without webhook events: one minute, five minutes, an
 * hour and then daily after the last report; and when its offer ends. An offer of which the provider
 * sends no event is polled every minute.
 * @param last time of the last report
 * @param now current time
 */
export function nextPoll(last: Date, now: Date, offer?: { ends: Date; isSilent: boolean }): Date {
  const quiet = (now.getTime() - last.getTime()) / MINUTE_MS;
  const wait = POLL_AFTER_MINUTES.find(minutes => minutes > quiet) ?? quiet + POLL_AFTER_MINUTES.at(-1)!;
  const next = new Date(last.getTime() + wait * MINUTE_MS);
  if (!offer || offer.ends <= now) return next;
  const soon = offer.isSilent ? new Date(now.getTime() + MINUTE_MS) : next;
  return new Date(Math.min(soon.getTime(), offer.ends.getTime(), next.getTime()));
}

/**
 * The owner has to confirm at their bank, which is impossible while the shop charges without them.
 */
const AUTHENTICATION_REQUIRED = 'authentication_required';

/**
 * Permanent declines: the same card or account would be declined again, and card networks fine
 * repeated tries. Stripe's codes are in lower case, PayPal's in upper case.
 */
const HARD = new Set([
  ...['lost_card', 'stolen_card', 'pickup_card', 'restricted_card', 'fraudulent', 'do_not_try_again'],
  ...['expired_card', 'incorrect_number', 'invalid_account', 'card_not_supported', 'currency_not_supported'],
  ...['revocation_of_authorization', 'revocation_of_all_authorizations', 'stop_payment_order'],
  ...['transaction_not_allowed', 'security_violation', 'service_not_allowed'],
  AUTHENTICATION_REQUIRED,
  ...['PAYER_CANNOT_PAY', 'PAYER_ACCOUNT_RESTRICTED', 'PAYER_ACCOUNT_LOCKED_OR_CLOSED', 'TOKEN_ID_NOT_FOUND'],
]);

/** Whether a payment with this decline must not be charged again without the customer's action. */
export const isHardDecline = (declineCode: string | undefined): boolean =>
  declineCode !== undefined && HARD.has(declineCode);

/** Whether the bank would accept the payment as soon as its owner confirms it. */
export const needsAuthentication = (declineCode: string | undefined): boolean =>
  declineCode === AUTHENTICATION_REQUIRED;

/**
 * Name of the refusal that a customer sees for a provider's decline. It never says lost, stolen or
 * fraudulent.
 */
export const declineRefusal = (declineCode: string | undefined): 'insufficientFunds' | 'cardDeclined' =>
  declineCode === 'insufficient_funds' ? 'insufficientFunds' : 'cardDeclined';
