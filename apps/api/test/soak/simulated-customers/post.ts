import { dayInEmails } from '../../subscription/renewing.ts';

const DAY_MS = 24 * 60 * 60_000;
/** Reminders are sent this long before a renewal; for a year also a month before. */
const REMINDED_MS = { year: 31 * DAY_MS, any: 8 * DAY_MS };

/** Emails that a customer gets once per event. */
export type Counted = 'cancelled' | 'resumed' | 'withdrawn' | 'expired' | 'left';

/** Emails that a customer should find in their inbox, for all their subscriptions. */
export type Post = {
  counted: Record<Counted, number>;
  /** Required number of reminders by the date that they name. */
  reminded: Map<string, number>;
  /** Dates of which a reminder must name one: workers that woke up late name the day of the charge. */
  remindedOf: string[][];
  /** Maximum number of emails by the end date that the customer saw, also if the period was cut later. */
  ends: Map<string, number>;
  /** Invoices that expired while workers were awake: the least number of emails about each, by its reference. */
  letPass: Map<string, number>;
  /**
   * Number of emails that waited for others when their customer acted, and may not be due any more: by kind, or by the reference
   * of the invoice whose charge was refused.
   */
  overtaken: Map<string, number>;
};

export const emptyPost = (): Post => ({
  counted: { cancelled: 0, resumed: 0, withdrawn: 0, expired: 0, left: 0 },
  reminded: new Map(),
  remindedOf: [],
  ends: new Map(),
  letPass: new Map(),
  overtaken: new Map(),
});

/** What decides which emails a subscription sends. */
type Served = { months: number; chargeableSince: Date | undefined };

/** Records the end of the paid period that the customer sees. */
export function seesEnd(post: Post, { months }: Served, end: Date): void {
  const day = dayInEmails(end);
  post.ends.set(day, (post.ends.get(day) ?? 0) + (months === 12 ? 2 : 1));
}

/**
 * Records that a renewal at `end` that was chargeable long before needs a reminder of that date.
 * @param woke when workers last woke up
 */
export function expectReminded(post: Post, { months, chargeableSince }: Served, end: Date, woke: Date): void {
  const since = chargeableSince?.getTime();
  const wasAhead = (ms: number) => since !== undefined && since < end.getTime() - ms;
  const isLate = (ms: number) => woke.getTime() > end.getTime() - ms;
  const day = dayInEmails(end);
  if (isLate(REMINDED_MS.any)) {
    const charged = new Date(woke.getTime() + DAY_MS);
    if (wasAhead(REMINDED_MS.any)) post.remindedOf.push([day, dayInEmails(charged)]);
    return;
  }
  // Of the reminders that it has missed, a late worker sends the last.
  const ofYear = months === 12 && wasAhead(REMINDED_MS.year) && !isLate(REMINDED_MS.year);
  const times = (ofYear ? 1 : 0) + (wasAhead(REMINDED_MS.any) ? 1 : 0);
  if (times > 0) post.reminded.set(day, (post.reminded.get(day) ?? 0) + times);
}
