import { openAttempt } from '@fixpoint/domain/payment/attempt.ts';
import {
  type FreeDays,
  MOST_FREE_DAYS,
  type NoFreeDays,
  refusesFreeDays,
  withFreeDays,
} from '@fixpoint/domain/subscription/free-days.ts';
import { sql } from 'kysely';
import type { Db } from '../../ports/database.ts';
import { openRenewalOf } from '../billing/index.ts';
import { markDirty } from '../provisioning/index.ts';
import { dropRenewal } from './close-renewal.ts';
import type { TransitionDeps } from './deps.ts';
import { lockAll, lockSubscription, type SubscriptionRow, stateOf, updateWithHistory } from './store.ts';
import { renewalAfter } from './transition.ts';

const DAY_MS = 24 * 60 * 60_000;

/** What a gift of free days changes: until when each is paid for, and which subscriptions have none and why. */
type DaysPlan = {
  given: { id: string; customerId: string; from: Date; until: Date }[];
  skipped: { id: string; why: NoFreeDays }[];
};

/**
 * Plans free days for subscriptions, in the order of their IDs. In a transaction it locks them.
 * @param ids of known subscriptions
 */
export async function planDays(db: Db, now: Date, ids: readonly string[], days: number): Promise<DaysPlan> {
  const plan: DaysPlan = { given: [], skipped: [] };
  const before = await givenLately(db, now, ids);
  const rows = await lockAll(db, ids);
  for (const row of rows) {
    const { id } = row;
    const why = refusesFreeDays(stateOf(row), days, before.get(id) ?? [], now);
    if (why) plan.skipped.push({ id, why });
    else {
      const from = row.period_end!;
      plan.given.push({ id, customerId: row.customer_id, from, until: withFreeDays(from, days) });
    }
  }
  return plan;
}

async function givenLately(db: Db, now: Date, ids: readonly string[]): Promise<Map<string, FreeDays[]>> {
  const rows = await db
    .selectFrom('subscription_history')
    .select(['subscription_id', 'at'])
    .select(sql<number>`(detail->>'days')::int`.as('days'))
    .where('subscription_id', '=', sql<string>`any(${ids})`)
    .where('command', '=', 'giveDays')
    .where('at', '>', new Date(now.getTime() - MOST_FREE_DAYS * DAY_MS))
    .execute();
  return Map.groupBy(rows, ({ subscription_id }) => subscription_id);
}

/**
 * Makes the newest paid period of a subscription longer, in the caller's transaction. Its renewal begins again for the new
 * end: an open invoice for another period is void, unless somebody is paying it. An email tells the customer.
 */
export async function giveDays(
  deps: TransitionDeps,
  tx: Db,
  { id, until }: { id: string; until: Date },
  days: number,
): Promise<void> {
  const now = deps.clock.now();
  const row = (await lockSubscription(tx, id))!;
  const open = await openRenewalOf(tx, id);
  const voided = open && !(await isBeingPaid(tx, open.id)) ? open.id : undefined;
  if (voided) await dropRenewal(deps, tx, id);
  const { row: changed } = await updateWithHistory(tx, row, extended(row, until, now), {
    at: now,
    command: 'giveDays',
    detail: { day: until.toISOString(), days, ...(voided && { voided }) },
  });
  await tx
    .updateTable('subscription_period')
    .set({ ends_at: until, paid_until: sql<Date>`coalesce(paid_until, ends_at)` })
    .where('subscription_id', '=', id)
    .where('starts_at', '=', row.period_start!)
    .execute();
  await markDirty(deps, tx, id);
  const { customer_id: customerId } = row;
  await deps.live.publish(tx, `customer:${customerId}`, 'SUBSCRIPTION', { event: 'detailFetch', id });
  const copy = String(changed.version);
  await deps.jobs.enqueue(tx, 'sendEmail', { template: 'freeDays', customerId, subjectId: id, copy });
}

function extended(row: SubscriptionRow, until: Date, now: Date) {
  const state = stateOf(row);
  const period = { start: row.period_start!, end: until };
  // A cheaper plan begins when the present period is over.
  const followsPeriod = row.next_from?.getTime() === row.period_end?.getTime();
  const change = { period_end: until, anchor_at: until, ...(followsPeriod && { next_from: until }) };
  return {
    ...change,
    ...renewalAfter({ ...row, ...change, period_end: row.period_end }, { ...state, period }, now),
  };
}

async function isBeingPaid(tx: Db, invoiceId: string): Promise<boolean> {
  const attempt = await tx
    .selectFrom('attempt')
    .select('id')
    .where('invoice_id', '=', invoiceId)
    .where('status', 'in', openAttempt)
    .limit(1)
    .executeTakeFirst();
  return attempt !== undefined;
}
