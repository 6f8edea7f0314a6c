import type { GatewayPayment, GatewayPayments, GatewayStatement } from '../../ports/gateway-books.ts';
import { effectsIn, finder, isForeign, type OwnAttempt, type OwnStatement } from './statement.ts';
import { addUp, type UnderWayList } from './under-way.ts';

type Rows = Record<string, unknown>[];

const MINUTE_MS = 60_000;
/** A payment that succeeded this recently may be on its way into our books. */
const NEW_MS = 5 * MINUTE_MS;
/** A gateway states the fee, and Stripe lists a payment on the balance, within this time. */
const FEE_MS = 60 * MINUTE_MS;

const isWithin = (ms: number, at: Date | undefined, now: Date): boolean =>
  at !== undefined && now.getTime() - at.getTime() <= ms;

/**
 * Payments at the gateway that are not in our books as they are there. Only the fee of a payment that agrees in amount and
 * currency may be unknown here, for an hour: money itself is in the books within minutes.
 */
export function paymentsThere(
  ours: OwnStatement,
  theirs: GatewayPayments & Pick<Partial<GatewayStatement>, 'movements'>,
  now: Date,
  underWay: UnderWayList,
): Rows {
  const find = finder(ours.attempts);
  const effects = effectsIn(theirs, ours);
  return theirs.payments.flatMap(payment => {
    const { ref, attemptId, currency, received } = payment;
    const there = effects.there('payment', ref);
    const own = find(ref, attemptId);
    if (!own) {
      if (!isForeign(ours, ref)) return [{ ref, currency, received, why: 'no attempt of ours' }];
      underWay.add('foreign', there);
      return [];
    }
    const missing = addUp([there], [effects.here('payment', ref, bookedOf(own)), -1]);
    const { reason, why } = judge(own, payment, now, theirs.movements !== undefined);
    if (reason) underWay.add(reason, missing);
    const { net } = payment;
    const booked = bookedOf(own)[own.currency] ?? 0;
    return why ? [{ ref, attempt: own.id, currency, received, net, booked, why }] : [];
  });
}

type Verdict = { reason?: 'fee' | 'unlisted' | 'payment' | 'later'; why?: string };

/** @param listed whether the statement has the movements of the balance */
function judge(own: OwnAttempt, payment: GatewayPayment, now: Date, listed: boolean): Verdict {
  if (own.fresh) return { reason: 'later' };
  if (!own.succeeded)
    return isWithin(NEW_MS, payment.at, now)
      ? { reason: 'payment' }
      : { why: 'succeeded there, not booked here' };
  if (payment.unread) return {};
  if (own.currency !== payment.currency || own.received !== payment.received) {
    // Coins may arrive one after another.
    return isWithin(NEW_MS, payment.at, now)
      ? { reason: 'payment' }
      : { why: 'not the same amount or currency' };
  }
  if (!listed) return {};
  const isRecent = isWithin(FEE_MS, own.changedAt, now);
  if (payment.net === undefined)
    return isRecent ? { reason: 'unlisted' } : { why: 'not on the balance of the gateway' };
  if (payment.net === own.received - (own.fee ?? 0)) return {};
  if (own.fee === null) return isRecent ? { reason: 'fee' } : { why: 'the fee is not booked' };
  return { why: 'not the same fee' };
}

const bookedOf = ({ succeeded, currency, received, fee }: OwnAttempt) => ({
  [currency]: succeeded ? received - (fee ?? 0) : 0,
});

/** Our successful attempts that the gateway does not list. */
export function paymentsHere(ours: OwnStatement, theirs: GatewayPayments, underWay: UnderWayList): Rows {
  const find = finder(ours.attempts);
  const seen = new Set(theirs.payments.map(({ ref, attemptId }) => find(ref, attemptId)?.id));
  return ours.attempts.flatMap(own => {
    const { id, ref, succeeded, fresh, currency, received } = own;
    if (!succeeded || seen.has(id)) return [];
    if (!fresh) return [{ ref, attempt: id, currency, received, why: 'not at the gateway' }];
    underWay.add('later', addUp([bookedOf(own), -1]));
    return [];
  });
}
