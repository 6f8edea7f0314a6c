import type { Check, Drift, HostReport } from '@fixpoint/contract/agent.ts';
import { lateSince } from '@fixpoint/domain/host/host.ts';
import { sql } from 'kysely';
import type { Publish } from '../../kernel/domain-event.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import type { LiveBus } from '../../ports/live.ts';
import { raiseAlert, resolveAlert } from '../alert/index.ts';
import { aloneAtAddress } from './desired-set.ts';
import { wakeNextHosts } from './fenced-host.ts';
import { recordUsage } from './usage.ts';

/**
 * What hosts have the shop know. `usageGrew`: what subscriptions have used in a month, in the transaction that writes it.
 * The others belong to no transaction. `subscriptionUp`: a host runs it since this report; a scheduled task makes up for a
 * listener that failed. `hostEnrolled`: subscriptions may be waiting for it. `hostOvertaken`: it knows a revision that the
 * shop never gave.
 */
export type HostEvent =
  | { type: 'usageGrew'; used: readonly { subscriptionId: string; month: string }[] }
  | { type: 'subscriptionUp'; subscriptionId: string }
  | { type: 'hostEnrolled'; hostId: string }
  | { type: 'hostOvertaken'; hostId: string; revision: number };

export type ReportDeps = {
  db: Db;
  clock: Clock;
  wall: Clock;
  live: LiveBus;
  publish: Publish<HostEvent>;
};

/**
 * Takes over what a host says, in a few statements whatever its size: only about subscriptions that are assigned to it
 * (S79).
 * @returns `up`: subscriptions that it runs since this report. `misplaced`: such as were never up, and have an address that is
 *   its own
 */
export function recordReport(
  { db, clock, wall, live, publish }: ReportDeps,
  hostId: string,
  report: HostReport,
): Promise<{ up: string[]; misplaced: string[] }> {
  return db.transaction().execute(async tx => {
    const now = clock.now();
    // Before the states: with them a subscription that has left is forgotten, and what it used here comes along.
    if (report.usage.length > 0) {
      const used = await recordUsage(tx, hostId, report, now);
      if (used.length > 0) await publish(tx, { type: 'usageGrew', used });
    }
    const { up, freed } = await recordStates(tx, now, hostId, report);
    await wakeNextHosts(live, tx, freed);
    await syncClockAlert(tx, now, hostId, { host: report.time, shop: wall.now() });
    const late = await overdue(tx, now, hostId, report);
    await syncDriftAlert(tx, now, hostId, report.drift, late);
    await syncDeliveryAlerts(tx, now, hostId, report.subscriptions, late.notStarted);
    // Last, so that nobody waits for the host's row meanwhile. It can have applied no more than it was given.
    const { revision, ownAddresses = null } = report;
    await sql`
      with applied as (
        update host set seen_at = ${now},
          drift = ${JSON.stringify(report.drift)}::jsonb,
          own_addresses = coalesce(${ownAddresses}::inet[], own_addresses),
          applied_revision = case when ${revision} between applied_revision and revision then ${revision}
            else applied_revision end
        where id = ${hostId} returning applied_revision
      ),
      owed as (
        update pending_change set due_since = ${now} from applied
        where host_id = ${hostId} and due_since is null
          and (pending_change.revision is null or pending_change.revision > applied.applied_revision)
      )
      delete from pending_change using applied
      where host_id = ${hostId} and pending_change.revision <= applied.applied_revision`.execute(tx);
    return { up, misplaced: await misplacedOn(tx, hostId, report) };
  });
}

/** New subscriptions that a host refuses because their address is its own: they need another one. */
async function misplacedOn(tx: Db, hostId: string, { subscriptions }: HostReport): Promise<string[]> {
  const refused = subscriptions.filter(({ reason }) => reason === 'ownAddress').map(({ id }) => id);
  if (refused.length === 0) return [];
  const rows = await tx
    .selectFrom('assignment')
    .innerJoin('subscription', 'subscription.id', 'assignment.subscription_id')
    .select('subscription.id')
    .where('host_id', '=', hostId)
    .where('assignment.status', '!=', 'leaving')
    .where(sql<boolean>`subscription.id = any(${refused})`)
    .where('subscription.started_at', 'is', null)
    .execute();
  return rows.map(({ id }) => id);
}

/** A clock of a host that is off by more is told; a report may be under way for a while. */
const CLOCK_OFF_MS = 2 * 60_000;

/** A clock that is wrong ends no tunnel (decision 54), but certificates and the system's own journal go by it. */
async function syncClockAlert(
  tx: Db,
  now: Date,
  hostId: string,
  { host, shop }: { host: string | undefined; shop: Date },
): Promise<void> {
  if (!host) return;
  const offMs = Date.parse(host) - shop.getTime();
  if (Math.abs(offMs) <= CLOCK_OFF_MS) await resolveAlert(tx, 'host.clock', hostId);
  else
    await raiseAlert(tx, now, {
      kind: 'host.clock',
      subject: hostId,
      what: { minutes: Math.round(offMs / 60_000) },
    });
}

type Overdue = {
  /** Changes that it was given. */
  behind: number;
  /** Subscriptions that it says to have failed with. */
  failed: number;
  /** Subscriptions that were never up, and are not up here. */
  notStarted: number;
};

/**
 * What a host has not done for so long that it will not by itself, whatever it says of its kernel. It was not given what
 * another host may still serve.
 */
async function overdue(
  tx: Db,
  now: Date,
  hostId: string,
  { revision: applied, subscriptions }: HostReport,
): Promise<Overdue> {
  const late = lateSince(now);
  // Its probe has a limit of its own.
  const checking = subscriptions.flatMap(({ id, state }) => (state === 'checking' ? [id] : []));
  const { rows } = await sql<Overdue>`
    select
      (select count(*)::int from pending_change
        where host_id = ${hostId} and due_since <= ${late} and (revision is null or revision > ${applied})) as behind,
      (count(*) filter (where assignment.status = 'failed'))::int as failed,
      (count(*) filter (where subscription.status = 'provisioning' and started_at is null
        and subscription.id <> all(${checking})))::int as "notStarted"
    from assignment join subscription on subscription.id = assignment.subscription_id
    where host_id = ${hostId} and down_since <= ${late} and assignment.status <> 'leaving'
      and ${aloneAtAddress}`.execute(tx);
  return rows[0]!;
}

/** A host that cannot make its kernel what it was given, or does not come so far that it could, needs somebody's hand. */
async function syncDriftAlert(
  tx: Db,
  now: Date,
  hostId: string,
  drift: readonly Drift[],
  { behind, failed }: Overdue,
): Promise<void> {
  const what = {
    ...Object.fromEntries(drift.map(({ what, more, missing }) => [what, `+${more} -${missing}`])),
    ...(behind > 0 && { behind }),
    ...(failed > 0 && { failed }),
  };
  if (Object.keys(what).length === 0) await resolveAlert(tx, 'entitlement.drift', hostId);
  else await raiseAlert(tx, now, { kind: 'entitlement.drift', subject: hostId, what });
}

/**
 * What new subscriptions have shown: one that has not begun in time, or whose probe failed, needs somebody's hand until a probe
 * succeeds.
 */
async function syncDeliveryAlerts(
  tx: Db,
  now: Date,
  hostId: string,
  reported: HostReport['subscriptions'],
  notStarted: number,
): Promise<void> {
  const ended = reported.flatMap(({ unproven }) => (unproven ? [unproven] : []));
  const failed = new Set(ended.flat());
  const unchecked = failed.delete('probe');
  const checks = [...failed, ...(notStarted > 0 ? ['start'] : [])].sort();
  const alerts = [
    { kind: 'delivery.failed', open: checks.length > 0, what: { checks: checks.join(', ') } },
    { kind: 'delivery.unchecked', open: unchecked, what: {} },
  ] as const;
  for (const { kind, open, what } of alerts) {
    if (open) await raiseAlert(tx, now, { kind, subject: hostId, what });
    else if (ended.some(checks => checks.length === 0)) await resolveAlert(tx, kind, hostId);
  }
}

/** Whether a subscription was shown to work; null: nobody knows. */
const deliveryResult = (unproven: readonly Check[] | undefined): boolean | null =>
  !unproven || unproven.includes('probe') ? null : unproven.length === 0;

/**
 * What runs, and what is gone: a subscription that has left is forgotten once its host knows of it and runs it no more, or runs
 * it again in another slot, because it has come back.
 */
async function recordStates(
  tx: Db,
  now: Date,
  hostId: string,
  report: HostReport,
): Promise<{ up: string[]; freed: string[] }> {
  const reported = JSON.stringify(
    report.subscriptions.map(({ id, state, unproven }) => ({
      id,
      state,
      delivery_ok: deliveryResult(unproven),
    })),
  );
  const { rows } = await sql<{ up: string[]; freed: string[] }>`
    with reported as (
      select id, state, delivery_ok from jsonb_to_recordset(${reported}::jsonb) as reported (id text, state text, delivery_ok boolean)
    ),
    gone as (
      delete from assignment
      where host_id = ${hostId} and status = 'leaving'
        and (subscription_id not in (select id from reported) or exists (
          select from assignment back where back.subscription_id = assignment.subscription_id
            and back.host_id = ${hostId} and back.status <> 'leaving'))
        and not exists (select from pending_change where host_id = ${hostId} and revision is null)
        and exists (select from host where id = ${hostId} and revision = ${report.revision})
      returning address
    ),
    moved as (
      update assignment set status = reported.state, delivery_ok = coalesce(reported.delivery_ok, assignment.delivery_ok),
        down_since = case when reported.state = 'failed' then coalesce(down_since, ${now}) end
      from reported
      where assignment.subscription_id = reported.id and host_id = ${hostId} and reported.state <> 'checking'
        and assignment.status not in ('leaving', reported.state)
      returning assignment.subscription_id as id, assignment.status
    )
    select array(select id from moved where status = 'up') as up, array(select host(address) from gone) as freed`.execute(
    tx,
  );
  return rows[0]!;
}
