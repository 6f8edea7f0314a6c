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
 * Domain events from hosts. `usageGrew` is published in the transaction that writes the usage, the others in none.
 * `subscriptionUp`: a scheduled task makes up for a listener that failed. `hostOvertaken`: the host has a revision that the
 * shop never assigned.
 */
export type HostEvent =
  | { type: 'usageGrew'; used: readonly { subscriptionId: string; month: string }[] }
  | { type: 'subscriptionUp'; subscriptionId: string }
  | { type: 'hostEnrolled'; hostId: string }
  | { type: 'hostOvertaken'; hostId: string; revision: number };

export type ReportDeps = {
  db: Db;
  clock: Clock;
  systemClock: Clock;
  live: LiveBus;
  publish: Publish<HostEvent>;
};

/**
 * Records the report of a host, limited to subscriptions assigned to it (S79). The number of statements does not grow with
 * the report.
 * @returns `up`: subscriptions that came up with this report. `misplaced`: new ones whose address the host uses itself.
 *   Undefined when a later report has overtaken this one: nothing is recorded, and the host must report again
 */
export function recordReport(
  { db, clock, systemClock, live, publish }: ReportDeps,
  hostId: string,
  report: HostReport,
): Promise<{ up: string[]; misplaced: string[] } | undefined> {
  // Before any wait: the order of arrival decides which report is the newer one.
  const now = clock.now();
  return db.transaction().execute(async tx => {
    if (await isOvertaken(tx, hostId, now, clock)) return undefined;
    // Before the states, which delete assignments that have left: their last usage comes with the same report.
    if (report.usage.length > 0) {
      const used = await recordUsage(tx, hostId, report, now);
      if (used.length > 0) await publish(tx, { type: 'usageGrew', used });
    }
    const { up, freed } = await recordStates(tx, now, hostId, report);
    await wakeNextHosts(live, tx, freed);
    await syncClockAlert(tx, now, hostId, { host: report.time, shop: systemClock.now() });
    const late = await overdue(tx, now, hostId, report);
    await syncDriftAlert(tx, now, hostId, report.drift, late);
    await syncDeliveryAlerts(tx, now, hostId, report.subscriptions, late.notStarted);
    await syncForeignAddressAlert(tx, now, hostId, late);
    // Last, to lock the row of the host briefly. Ignores a revision that the host was never given.
    const { revision, ownAddresses = null } = report;
    const { rows: applied } = await sql<AppliedChange>`
      with applied as (
        update host set seen_at = ${now}, agent_version = ${report.agentVersion},
          drift = ${JSON.stringify(report.drift)}::jsonb,
          own_addresses = coalesce(${ownAddresses}::inet[], own_addresses),
          applied_revision = case when ${revision} between applied_revision and revision then ${revision}
            else applied_revision end
        where id = ${hostId} returning applied_revision
      ),
      overdue as (
        update pending_change set due_since = ${now} from applied
        where host_id = ${hostId} and due_since is null
          and (pending_change.revision is null or pending_change.revision > applied.applied_revision)
      )
      delete from pending_change using applied
      where host_id = ${hostId} and pending_change.revision <= applied.applied_revision
      returning subscription_id as "subscriptionId", customer_id as "customerId", key_id as "keyId"`.execute(
      tx,
    );
    await notifyApplied(live, tx, applied);
    return { up, misplaced: await misplacedOn(tx, hostId, report) };
  });
}

/** Tolerance between the clocks of two nodes. */
const CLOCK_SKEW_MS = 60_000;

/**
 * Serializes the reports of a host, and tells whether one that arrived later has been recorded. A last report that lies in
 * the future is due to a clock that was corrected since, and must not silence the host.
 */
async function isOvertaken(tx: Db, hostId: string, arrived: Date, clock: Clock): Promise<boolean> {
  // Two concurrent reports would also record the same growth of usage twice; version 0.2.0 locks this name for that.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`usage of ${hostId}`}, 0))`.execute(tx);
  const host = await tx.selectFrom('host').select('seen_at').where('id', '=', hostId).executeTakeFirst();
  const last = host?.seen_at?.getTime() ?? 0;
  return last > arrived.getTime() && last <= clock.now().getTime() + CLOCK_SKEW_MS;
}

type AppliedChange = { subscriptionId: string | null; customerId: string | null; keyId: string | null };

/** Refreshes the pages of customers whose devices the host has set up or ended, so that they say so at once. */
async function notifyApplied(live: LiveBus, tx: Db, applied: readonly AppliedChange[]): Promise<void> {
  const concerned = new Map(
    applied.flatMap(({ keyId, subscriptionId, customerId }) =>
      keyId && subscriptionId && customerId ? [[subscriptionId, customerId]] : [],
    ),
  );
  for (const [id, customerId] of concerned)
    await live.publish(tx, `customer:${customerId}`, 'SUBSCRIPTION', { event: 'detailFetch', id });
}

/** New subscriptions that a host refuses because it uses their address itself. They need another address. */
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

/** Tolerance for the clock of a host. A report may be in transit for a while. */
const CLOCK_OFF_MS = 2 * 60_000;

/** A wrong clock ends no tunnel (decision 54), but certificates and the system journal depend on it. */
async function syncClockAlert(
  tx: Db,
  now: Date,
  hostId: string,
  { host, shop }: { host: string | undefined; shop: Date },
): Promise<void> {
  if (!host) return;
  const offMs = Date.parse(host) - shop.getTime();
  if (Math.abs(offMs) <= CLOCK_OFF_MS) await resolveAlert(tx, now, 'host.clock', hostId);
  else
    await raiseAlert(tx, now, {
      kind: 'host.clock',
      subject: hostId,
      what: { minutes: Math.round(offMs / 60_000) },
    });
}

type Overdue = {
  /** Number of changes that the host has not applied. */
  behind: number;
  /** Number of subscriptions that the host reports as failed. */
  failed: number;
  /** Number of new subscriptions that did not come up. */
  notStarted: number;
  /** Addresses of other hosts' ranges that this host reports as its own. */
  foreign: string[];
  /** Whether the alert about such addresses is open. */
  foreignOpen: boolean;
};

/** Counts work that a host has not done for too long, whatever its kernel reports. Skips addresses that another may serve. */
async function overdue(
  tx: Db,
  now: Date,
  hostId: string,
  { revision: applied, subscriptions, ownAddresses = [] }: HostReport,
): Promise<Overdue> {
  const late = lateSince(now);
  // The delivery check has its own timeout.
  const checking = subscriptions.flatMap(({ id, state }) => (state === 'checking' ? [id] : []));
  const { rows } = await sql<Overdue>`
    select
      (select count(*)::int from pending_change
        where host_id = ${hostId} and due_since <= ${late} and (revision is null or revision > ${applied})) as behind,
      array(select host(ip.address) from static_ip ip join address_pool pool on pool.id = ip.pool_id
        where ip.address = any(${ownAddresses}::inet[]) and pool.host_id <> ${hostId} order by ip.address) as foreign,
      exists(select from open_alert where kind = 'host.foreignAddress' and subject = ${hostId}) as "foreignOpen",
      (count(*) filter (where assignment.status = 'failed'))::int as failed,
      (count(*) filter (where subscription.status = 'provisioning' and started_at is null
        and subscription.id <> all(${checking})))::int as "notStarted"
    from assignment join subscription on subscription.id = assignment.subscription_id
    where host_id = ${hostId} and down_since <= ${late} and assignment.status <> 'leaving'
      and ${aloneAtAddress}`.execute(tx);
  return rows[0]!;
}

/** Raises or resolves the alert of a host whose kernel differs from its desired set, or that does not apply changes. */
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
  if (Object.keys(what).length === 0) await resolveAlert(tx, now, 'entitlement.drift', hostId);
  else await raiseAlert(tx, now, { kind: 'entitlement.drift', subject: hostId, what });
}

/**
 * A host that claims addresses of another one has a say in its own ranges only (V42): they stay on sale, and staff finds out
 * whether it is set up wrongly or in other hands.
 */
async function syncForeignAddressAlert(
  tx: Db,
  now: Date,
  hostId: string,
  { foreign, foreignOpen }: Overdue,
): Promise<void> {
  const alert = { kind: 'host.foreignAddress', subject: hostId } as const;
  if (foreign.length > 0) await raiseAlert(tx, now, { ...alert, what: { addresses: foreign.join(', ') } });
  else if (foreignOpen) await resolveAlert(tx, now, alert.kind, hostId);
}

/** Raises the alerts of failed and impossible delivery checks. A later check that succeeds resolves them. */
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
    else if (ended.some(checks => checks.length === 0)) await resolveAlert(tx, now, kind, hostId);
  }
}

/** Whether the delivery check succeeded; null: unknown. */
const deliveryResult = (unproven: readonly Check[] | undefined): boolean | null =>
  !unproven || unproven.includes('probe') ? null : unproven.length === 0;

/**
 * Updates the states of assignments. Deletes an assignment that is leaving once its host has applied that and runs it no
 * more, or runs the same subscription in another slot.
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
