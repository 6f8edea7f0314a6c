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
import { markAllDirty } from '../provisioning/index.ts';
import { dropRenewal } from './close-renewal.ts';
import type { TransitionDeps } from './deps.ts';
import { lockAll, type SubscriptionRow, stateOf } from './store.ts';
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
  const rows = await lockAll(db, ids);
  // After the lock: another command may have given days while this one waited.
  const before = await givenLately(db, now, ids);
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
 * Makes the newest paid periods of subscriptions longer, in a transaction that is part of the caller's. Their renewals begin again for the new
 * ends: an open invoice for another period is void, unless somebody is paying it. An email tells each customer.
 * @param given locked subscriptions with their new ends
 * @throws when one of them has changed since it was locked
 */
export async function giveDays(
  deps: TransitionDeps,
  db: Db,
  given: readonly { id: string; until: Date }[],
  days: number,
): Promise<void> {
  const ends = new Map(given.map(({ id, until }) => [id, until]));
  const ids = [...ends.keys()];
  // A whole host's jobs and live events leave in one statement.
  await deps.live.transaction(db, async tx => {
    const rows = await lockAll(tx, ids);
    const voided = await renewalsToVoid(tx, ids);
    for (const { subscriptionId } of voided) await dropRenewal(deps, tx, subscriptionId);
    const now = deps.clock.now();
    const changes = rows.map(row => ({
      id: row.id,
      version: row.version,
      ...extended(row, ends.get(row.id)!, now),
      voided: voided.find(({ subscriptionId }) => subscriptionId === row.id)?.id,
    }));
    const changed = await extendAll(tx, now, days, changes);
    if (changed.length !== given.length) throw new Error('A subscription changed while it was given days');
    await markAllDirty(deps, tx, ids);
    for (const { id, customerId } of changed)
      await deps.live.publish(tx, `customer:${customerId}`, 'SUBSCRIPTION', { event: 'detailFetch', id });
    const emails = changed.map(({ id, customerId, version }) => ({
      template: 'freeDays' as const,
      customerId,
      subjectId: id,
      copy: String(version),
    }));
    await deps.jobs.enqueueAll(tx, 'sendEmail', emails);
  });
}

/** The end of a row's period with more days, and what follows from it. */
function extended(row: SubscriptionRow, until: Date, now: Date) {
  const state = stateOf(row);
  const period = { start: row.period_start!, end: until };
  // A cheaper plan begins when the present period is over.
  const followsPeriod = row.next_from?.getTime() === row.period_end?.getTime();
  const next_from = followsPeriod ? until : row.next_from;
  return { until, next_from, due_at: renewalAfter({ ...row, next_from }, { ...state, period }, now).due_at };
}

/** Open renewals of subscriptions that nobody is paying at this moment. */
const renewalsToVoid = (tx: Db, ids: readonly string[]) =>
  tx
    .selectFrom('invoice')
    .select(['id', 'subscription_id as subscriptionId'])
    .$narrowType<{ subscriptionId: string }>()
    .where('subscription_id', '=', sql<string>`any(${ids})`)
    .where('purpose', '=', 'renewal')
    .where('status', '=', 'open')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('attempt')
            .select('attempt.id')
            .whereRef('attempt.invoice_id', '=', 'invoice.id')
            .where('attempt.status', 'in', openAttempt),
        ),
      ),
    )
    .execute();

type Change = { id: string; version: number; voided: string | undefined } & ReturnType<typeof extended>;

/** Writes new ends of subscriptions and of their periods, and their history, in one statement. */
async function extendAll(tx: Db, now: Date, days: number, changes: readonly Change[]) {
  const { rows } = await sql<{ id: string; customerId: string; version: number }>`
    with change as (
      select * from jsonb_to_recordset(${JSON.stringify(changes)}::jsonb)
        as change (id text, version int, until timestamptz, next_from timestamptz, due_at timestamptz, voided text)
    ), changed as (
      update subscription set version = subscription.version + 1, period_end = change.until, anchor_at = change.until,
        next_from = change.next_from, due_at = change.due_at, reminders = 0, reminded_at = null, tries = 0
      from change where subscription.id = change.id and subscription.version = change.version
      returning subscription.id, customer_id, subscription.version, status, period_start, change.until, voided
    ), recorded as (
      insert into subscription_history (subscription_id, customer_id, version, at, command, from_status, to_status, detail)
      select id, customer_id, version, ${now}, 'giveDays', status, status,
        jsonb_strip_nulls(jsonb_build_object('day', to_char(until at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'days', ${days}::int, 'voided', voided))
      from changed
    ), longer as (
      update subscription_period period set ends_at = changed.until, paid_until = coalesce(paid_until, ends_at)
      from changed where period.subscription_id = changed.id and period.starts_at = changed.period_start
    )
    select id, customer_id as "customerId", version from changed order by id`.execute(tx);
  return rows;
}
