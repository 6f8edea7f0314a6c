import { dayInEmails } from '../../subscription/renewing.ts';

const DAY_MS = 24 * 60 * 60_000;
/** A year is reminded of a month before too, and everything within so long. */
const REMINDED_MS = { year: 31 * DAY_MS, any: 8 * DAY_MS };

/** Emails that a customer gets once for each time that something happened to him. */
export type Counted = 'cancelled' | 'resumed' | 'withdrawn' | 'expired' | 'left';

/** What a customer has reason to find in his letter box, whichever of his subscriptions it is about. */
export type Post = {
  counted: Record<Counted, number>;
  /** How many reminders he must have got, by the day that they name. */
  reminded: Map<string, number>;
  /** So many emails of a day may there be at most that he saw his paid time end with, also if it was cut after that. */
  ends: Map<string, number>;
  /** Invoices whose time he let pass while everybody worked, by the names that emails call them. */
  letPass: Set<string>;
};

export const emptyPost = (): Post => ({
  counted: { cancelled: 0, resumed: 0, withdrawn: 0, expired: 0, left: 0 },
  reminded: new Map(),
  ends: new Map(),
  letPass: new Set(),
});

/** What of a subscription says of which emails it is. */
type Served = { months: number; chargeableSince: Date | undefined };

/** He sees until when he has paid. */
export function seesEnd(post: Post, { months }: Served, end: Date): void {
  const day = dayInEmails(end);
  post.ends.set(day, (post.ends.get(day) ?? 0) + (months === 12 ? 2 : 1));
}

/** What renewed at `end` and could be charged long before: its customer was reminded of that day. */
export function expectReminded(post: Post, { months, chargeableSince }: Served, end: Date): void {
  const since = chargeableSince?.getTime();
  const wasAhead = (ms: number) => since !== undefined && since < end.getTime() - ms;
  const day = dayInEmails(end);
  const times = (months === 12 && wasAhead(REMINDED_MS.year) ? 1 : 0) + (wasAhead(REMINDED_MS.any) ? 1 : 0);
  if (times > 0) post.reminded.set(day, (post.reminded.get(day) ?? 0) + times);
}
