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
export const openAt = (period: Period, sendsInvoice: boolean): Date =>
  sendsInvoice ? before(period, ASK_BEFORE_MS) : chargeAt(period);

/** When a renewal is first charged. */
export const chargeAt = (period: Period): Date => before(period, CHARGE_BEFORE_MS);

/** Time of try `n`, from 0. Counts from the opening of the invoice where a worker woke up late. */
function tryAt(openedAt: Date, period: Period, n: number): Date {
  const first = Math.max(openedAt.getTime(), chargeAt(period).getTime());
  return new Date(first + TRY_DAYS[n]! * DAY_MS);
}

/** Time of the next charge after `tries` of them; undefined: no further try. */
export const nextTryAt = (openedAt: Date, period: Period, tries: number): Date | undefined =>
  tries < MAX_TRIES ? tryAt(openedAt, period, tries) : undefined;

/** Last instant at which a renewal can be paid. */
export const payableUntil = (openedAt: Date, period: Period): Date => tryAt(openedAt, period, MAX_TRIES - 1);

/**
 * The next step of a renewal, counted from the end of the paid period. Tries count from the opening
 * of the invoice where a worker woke up late, so that no customer loses days in which they can pay.
 */
export function nextRenewalStep(renewal: Renewal): RenewalStep {
  const { period, ends, reminders, openedAt, tries } = renewal;
  const sendsInvoice = renewal.collectionMethod === 'sendInvoice';
  if (ends || !openedAt) {
    const days = reminderDays(renewal)[reminders];
    if (days !== undefined) return { step: 'remind', at: before(period, days * DAY_MS) };
    return ends ? { step: 'end', at: period.end } : { step: 'open', at: openAt(period, sendsInvoice) };
  }
  const last = MAX_TRIES - 1;
  const at = tryAt(openedAt, period, Math.min(tries, last));
  if (tries > last) return { step: 'expire', at: sendsInvoice ? at : new Date(at.getTime() + ANSWER_MS) };
  if (tries === last && sendsInvoice) return { step: 'expire', at };
  return { step: sendsInvoice ? 'ask' : 'charge', at };
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
