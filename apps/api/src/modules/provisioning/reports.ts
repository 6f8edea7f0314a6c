import type { HostReport } from '@fixpoint/contract/agent.ts';
import { sql } from 'kysely';
import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import type { LiveBus } from '../../ports/live.ts';
import { wakeNext } from './ended-machine.ts';

/**
 * Takes over what a host says, in three statements whatever its size: only about subscriptions that are assigned to it
 * (S79). Usage totals only grow, so a report that comes twice or late changes nothing.
 * @returns subscriptions that it runs since this report
 */
export function recordReport(
  { db, clock, live }: { db: Db; clock: Clock; live: LiveBus },
  hostId: string,
  report: HostReport,
): Promise<string[]> {
  return db.transaction().execute(async tx => {
    // First: what has left the host was counted by it to the end.
    await recordUsage(tx, hostId, report);
    const { up, freed } = await recordStates(tx, hostId, report);
    await wakeNext(live, tx, freed);
    // Last, so that nobody waits for the host's row meanwhile. It can have applied no more than it was given.
    const { revision } = report;
    await sql`
      update host set seen_at = ${clock.now()},
        applied_revision = case when ${revision} between applied_revision and revision then ${revision}
          else applied_revision end
      where id = ${hostId}`.execute(tx);
    await tx
      .deleteFrom('host_change')
      .where('host_id', '=', hostId)
      .where('revision', '<=', sql<number>`(select applied_revision from host where id = ${hostId})`)
      .execute();
    return up;
  });
}

/** What runs, and what is gone: a subscription that has left is forgotten once its host knows of it and runs it no more. */
async function recordStates(
  tx: Db,
  hostId: string,
  report: HostReport,
): Promise<{ up: string[]; freed: string[] }> {
  const said = JSON.stringify(report.subscriptions.map(({ id, state }) => ({ id, state })));
  const { rows } = await sql<{ up: string[]; freed: string[] }>`
    with said as (select id, state from jsonb_to_recordset(${said}::jsonb) as said (id text, state text)),
    gone as (
      delete from assignment
      where host_id = ${hostId} and status = 'leaving' and subscription_id not in (select id from said)
        and not exists (select from host_change where host_id = ${hostId} and revision is null)
        and exists (select from host where id = ${hostId} and revision = ${report.revision})
      returning address
    ),
    moved as (
      update assignment set status = said.state from said
      where assignment.subscription_id = said.id and host_id = ${hostId}
        and assignment.status not in ('leaving', said.state)
      returning assignment.subscription_id as id, assignment.status
    )
    select array(select id from moved where status = 'up') as up, array(select host(address) from gone) as freed`.execute(
    tx,
  );
  return rows[0]!;
}

/** A host says the totals of every key, most of which rest: what has not grown is neither written nor locked. What a host
 * has counted once it may count to the end, also when its customer is another one's by then (FV15). */
async function recordUsage(tx: Db, hostId: string, report: HostReport): Promise<void> {
  if (report.usage.length === 0) return;
  const epoch = `${hostId}:${report.epoch}`;
  await sql`
    with grown as (
      select said.*, known.key_id is not null as counted from jsonb_to_recordset(${JSON.stringify(report.usage)}::jsonb)
        as said ("keyId" text, month text, "downBytes" bigint, "upBytes" bigint)
      left join key_usage known on known.key_id = said."keyId" and known.month = said.month and known.epoch = ${epoch}
      where said."downBytes" > coalesce(known.down_bytes, -1) or said."upBytes" > coalesce(known.up_bytes, -1)
    )
    insert into key_usage (key_id, customer_id, month, epoch, down_bytes, up_bytes)
    select key.id, key.customer_id, month, ${epoch}, "downBytes", "upBytes"
    from grown join vpn_key key on key.id = "keyId"
    where counted or exists (
      select from assignment where assignment.subscription_id = key.subscription_id and assignment.host_id = ${hostId}
    )
    on conflict (key_id, month, epoch) do update set
      down_bytes = greatest(key_usage.down_bytes, excluded.down_bytes),
      up_bytes = greatest(key_usage.up_bytes, excluded.up_bytes)`.execute(tx);
}
