import type { CollectionMethod } from './collection-method.ts';
import type { Period } from './subscription.ts';

const DAY_MS = 24 * 60 * 60_000;
/** A renewal is charged this long before its period begins. */
const CHARGE_BEFORE_MS = DAY_MS;
/** An invoice that its customer pays themselves is sent this long before. */
const ASK_BEFORE_MS = 7 * DAY_MS;
/** Days after the first try on which it is retried; after the last one the renewal has failed. */
const TRY_DAYS = [0, 1, 3, 5, 7] as const;
export const MAX_TRIES = TRY_DAYS.length;
/**
 * From a late reminder to the charge. One that is sent on time comes two days before; nobody is
 * charged without having been told since the last charge.
 */
const NOTICE_MS = DAY_MS;
/** A charge that is later than this after its announced day is announced again. */
const LATE_MS = 2 * DAY_MS;
/** Time to wait for the result of the last charge. */
const ANSWER_MS = 60 * 60_000;
/**
 * Time after the last day to wait for a payment that was sent before: Bitcoin in a slow block
 * (B16).
 */
const ARRIVAL_MS = DAY_MS;
/** Interval of the checks meanwhile. */
const CHECK_MS = 60 * 60_000;

/** State of the renewal that leads from the current period of a subscription to the next. */
export type Renewal = {
  /** The period that is paid. */
  period: Period;
  cycleCount: number;
  /** It ends with its period: cancelled by its customer, or suspended until then. */
  ends: boolean;
  collectionMethod: CollectionMethod;
  /** Number of reminders that were sent. */
  reminders: number;
  /** When the last one was sent; null: none. */
  remindedAt: Date | null;
  /** When its invoice was opened; null: not opened yet. */
  openedAt: Date | null;
  /** Number of charges or payment requests. */
  tries: number;
};

/**
 * The next step and its time. `remind`: an email that it will renew or end soon; `open`: open its
 * invoice; `charge`: charge the saved method; `ask`: an email that requests payment; `expire`:
 * nobody paid; `end`: it does not renew.
 */
export type RenewalStep = { at: Date; step: 'remind' | 'open' | 'charge' | 'ask' | 'expire' | 'end' };

/** The same with `restart`: no worker ran for so long that the renewal begins again from now. */
export type DueStep = RenewalStep | { at: Date; step: 'restart' };

/**
 * Days before the end of the period on which its customer is reminded. A year is long enough to
 * forget it.
 */
const reminderDays = ({ ends, cycleCount, collectionMethod }: Renewal): readonly number[] => {
  const sendsInvoice = collectionMethod === 'sendInvoice';
  if (ends) return [7];
  if (cycleCount === 12) return sendsInvoice ? [30] : [30, 7];
  if (sendsInvoice) return [];
  return cycleCount === 1 ? [3] : [7];
};

const before = (period: Period, ms: number): Date => new Date(period.end.getTime() - ms);

/** When the invoice of a renewal is opened. An automatic charge opens and charges it at once. */
export const openAt = (period: Period, sendsInvoice: boolean, remindedAt: Date | null): Date =>
  sendsInvoice ? before(period, ASK_BEFORE_MS) : chargeAt(period, remindedAt);

/** When a renewal is first charged: a day before its period, later only after a late reminder. */
export const chargeAt = (period: Period, remindedAt: Date | null = null): Date => {
  const onTime = before(period, CHARGE_BEFORE_MS);
  const announced = new Date((remindedAt?.getTime() ?? 0) + NOTICE_MS);
  return announced > onTime ? announced : onTime;
};

/** Time of try `n`, from 0. Counts from the opening of the invoice where a worker woke up late. */
function tryAt(openedAt: Date, period: Period, n: number): Date {
  const first = Math.max(openedAt.getTime(), chargeAt(period).getTime());
  return new Date(first + TRY_DAYS[n]! * DAY_MS);
}

/** Time of the next charge after `tries` of them; undefined: no further try. */
export const nextTryAt = (openedAt: Date, period: Period, tries: number): Date | undefined =>
  tries < MAX_TRIES ? tryAt(openedAt, period, tries) : undefined;

/** Last instant at which a renewal can be paid. @param hasGrace it is served beyond its paid period */
export const payableUntil = (openedAt: Date, period: Period, hasGrace = true): Date =>
  hasGrace ? tryAt(openedAt, period, MAX_TRIES - 1) : period.end;

/**
 * The next step of a renewal, counted from the end of the paid period. Tries count from the opening
 * of the invoice where a worker woke up late, so that no customer loses days in which they can pay.
 */
export function nextRenewalStep(renewal: Renewal): RenewalStep {
  const { period, ends, reminders, remindedAt, openedAt, tries } = renewal;
  const sendsInvoice = renewal.collectionMethod === 'sendInvoice';
  if (ends || !openedAt) {
    const days = reminderDays(renewal)[reminders];
    if (days !== undefined) return { step: 'remind', at: before(period, days * DAY_MS) };
    return ends
      ? { step: 'end', at: period.end }
      : { step: 'open', at: openAt(period, sendsInvoice, remindedAt) };
  }
  const last = MAX_TRIES - 1;
  const at = tryAt(openedAt, period, Math.min(tries, last));
  if (tries > last) return { step: 'expire', at: sendsInvoice ? at : new Date(at.getTime() + ANSWER_MS) };
  if (tries === last && sendsInvoice) return { step: 'expire', at };
  return { step: sendsInvoice ? 'ask' : 'charge', at };
}

/**
 * The step to take at `now`, or the next one. Late work is not done as if it were on time: a charge that
 * was announced for a day long past is announced again, and an invoice whose days of payment passed
 * without the tries that belong to them is void, and another one is opened from now on.
 */
export function dueStep(renewal: Renewal, now: Date): DueStep {
  const next = nextRenewalStep(renewal);
  const { step, at } = next;
  if (at > now) return next;
  const lateBy = now.getTime() - at.getTime();
  const charges = renewal.collectionMethod === 'chargeAutomatically';
  if (step === 'open' && charges && lateBy >= LATE_MS) return { step: 'remind', at: now };
  if (step !== 'charge' && step !== 'ask') return next;
  const last = payableUntil(renewal.openedAt!, renewal.period);
  if (now.getTime() >= last.getTime() + (charges ? ANSWER_MS : LATE_MS)) return { step: 'restart', at: now };
  return step === 'ask' && now >= last ? { step: 'expire', at: last } : next;
}

/** Whether the last charge of a renewal has been due for so long that a late worker does not make it. */
export const isPaymentOver = (openedAt: Date, period: Period, now: Date): boolean =>
  now.getTime() >= payableUntil(openedAt, period).getTime() + ANSWER_MS;

/**
 * Number of tries that are due by `now`, at least one more than were made: those that a late worker has
 * missed are made as one.
 */
export function triesDue({ openedAt, period, tries, collectionMethod }: Renewal, now: Date): number {
  const all = collectionMethod === 'sendInvoice' ? MAX_TRIES - 1 : MAX_TRIES;
  const due = TRY_DAYS.filter((_, n) => tryAt(openedAt!, period, n) <= now).length;
  return Math.max(tries + 1, Math.min(due, all));
}

/**
 * When to check an expiring renewal again while its customer's payment is in transit; undefined:
 * stop waiting.
 */
export function recheckAt(at: Date, now: Date): Date | undefined {
  const last = at.getTime() + ARRIVAL_MS;
  return now.getTime() < last ? new Date(Math.min(now.getTime() + CHECK_MS, last)) : undefined;
}

/**
 * Number of reminders due by `now`. A worker that wakes up late sends one, not all that it missed.
 */
export const remindersDue = (renewal: Renewal, now: Date): number =>
  reminderDays(renewal).filter(days => before(renewal.period, days * DAY_MS) <= now).length;

/**
 * When to check a renewal next, for either collection method: a saved method may come or go until
 * then.
 */
export function nextCheck(renewal: Omit<Renewal, 'collectionMethod'>): Date {
  const methods = ['chargeAutomatically', 'sendInvoice'] as const;
  const times = methods.map(collectionMethod =>
    nextRenewalStep({ ...renewal, collectionMethod }).at.getTime(),
  );
  return new Date(Math.min(...times));
}
