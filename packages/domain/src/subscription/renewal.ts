import type { CollectionMethod } from './collection-method.ts';
import type { Period } from './subscription.ts';

const DAY_MS = 24 * 60 * 60_000;
/** A renewal is charged this long before its period begins. */
const CHARGE_BEFORE_MS = DAY_MS;
/** What its customer has to pay by his own hand is asked for this long before. */
const ASK_BEFORE_MS = 7 * DAY_MS;
/** Days after the first try on which it is tried again; with the last one it is over. */
const TRY_DAYS = [0, 1, 3, 5, 7] as const;
/** How often it is tried at most. */
export const MOST_TRIES = TRY_DAYS.length;
/** So long the answer to the last charge is waited for. */
const ANSWER_MS = 60 * 60_000;
/** So long after its last day a renewal waits for what its customer has sent until then: coins of a slow block (B16). */
const ARRIVAL_MS = DAY_MS;
/** Meanwhile it is looked at as often. */
const LOOK_MS = 60 * 60_000;

/** How the renewal of a subscription stands: what leads from its period to the next. */
export type Renewal = {
  /** The period that is paid. */
  period: Period;
  cycleCount: number;
  /** It ends with its period: turned off by its customer, or suspended until then. */
  ends: boolean;
  collectionMethod: CollectionMethod;
  /** Reminders that were sent. */
  reminders: number;
  /** When its invoice was opened; null: not yet. */
  openedAt: Date | null;
  /** How often it was tried, or asked for. */
  tries: number;
};

/**
 * What comes next, and when. `remind`: an email that it will renew, or that it ends soon; `open`: its invoice; `charge`: by the saved method;
 * `ask`: an email that it is to be paid; `expire`: nobody paid; `end`: it does not renew.
 */
export type RenewalStep = { at: Date; step: 'remind' | 'open' | 'charge' | 'ask' | 'expire' | 'end' };

/**
 * When its customer hears of a renewal before its invoice, or of the end, in days before that: a year is long enough to
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

/** When the invoice of a renewal is opened: what we charge is charged then. */
export const openAt = (period: Period, sendsInvoice: boolean): Date =>
  sendsInvoice ? before(period, ASK_BEFORE_MS) : chargeAt(period);

/** When a renewal is charged first. */
export const chargeAt = (period: Period): Date => before(period, CHARGE_BEFORE_MS);

/** When it is tried for the `n`-th time, from 0; from the opening of the invoice where a worker woke up late. */
function tryAt(openedAt: Date, period: Period, n: number): Date {
  const first = Math.max(openedAt.getTime(), chargeAt(period).getTime());
  return new Date(first + TRY_DAYS[n]! * DAY_MS);
}

/** When a renewal whose invoice was opened then is charged next, which was so often; undefined: not any more. */
export const nextTryAt = (openedAt: Date, period: Period, tries: number): Date | undefined =>
  tries < MOST_TRIES ? tryAt(openedAt, period, tries) : undefined;

/** Until when a renewal can be paid whose invoice was opened then. */
export const payableUntil = (openedAt: Date, period: Period): Date => tryAt(openedAt, period, MOST_TRIES - 1);

/**
 * The next step of a renewal. Everything is counted from the end of the paid period, and tries from the opening of the
 * invoice where a worker woke up late: nobody loses the days in which he can still pay.
 */
export function nextRenewalStep(renewal: Renewal): RenewalStep {
  const { period, ends, reminders, openedAt, tries } = renewal;
  const sendsInvoice = renewal.collectionMethod === 'sendInvoice';
  if (ends || !openedAt) {
    const days = reminderDays(renewal)[reminders];
    if (days !== undefined) return { step: 'remind', at: before(period, days * DAY_MS) };
    return ends ? { step: 'end', at: period.end } : { step: 'open', at: openAt(period, sendsInvoice) };
  }
  const last = MOST_TRIES - 1;
  const at = tryAt(openedAt, period, Math.min(tries, last));
  if (tries > last) return { step: 'expire', at: sendsInvoice ? at : new Date(at.getTime() + ANSWER_MS) };
  if (tries === last && sendsInvoice) return { step: 'expire', at };
  return { step: sendsInvoice ? 'ask' : 'charge', at };
}

/** When a renewal that was to expire at `at` is looked at again while what its customer has sent is on its way; undefined: it waits no longer. */
export function waitsUntil(at: Date, now: Date): Date | undefined {
  const last = at.getTime() + ARRIVAL_MS;
  return now.getTime() < last ? new Date(Math.min(now.getTime() + LOOK_MS, last)) : undefined;
}

/** How many reminders are behind us at `now`: who wakes up late sends one, not all that he slept over. */
export const remindersBy = (renewal: Renewal, now: Date): number =>
  reminderDays(renewal).filter(days => before(renewal.period, days * DAY_MS) <= now).length;

/** When a renewal is looked at next, whichever way it will be paid: a saved method may come or go until then. */
export function nextLook(renewal: Omit<Renewal, 'collectionMethod'>): Date {
  const methods = ['chargeAutomatically', 'sendInvoice'] as const;
  const times = methods.map(collectionMethod =>
    nextRenewalStep({ ...renewal, collectionMethod }).at.getTime(),
  );
  return new Date(Math.min(...times));
}
