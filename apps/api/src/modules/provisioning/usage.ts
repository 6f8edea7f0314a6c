import type { HostReport } from '@fixpoint/contract/agent.ts';
import { lastDays } from '@fixpoint/domain/bandwidth/usage.ts';
import { sql } from 'kysely';
import type { Db } from '../../ports/database.ts';

/**
 * Records the growth of usage per day. The counters of a host (`epoch`) only grow, so a repeated or late report changes
 * nothing, and counters of several hosts add up. The caller serializes the reports of a host. A host may finish a counter after the subscription has left it.
 * @returns subscriptions and months whose usage has grown
 */
export async function recordUsage(
  tx: Db,
  hostId: string,
  report: HostReport,
  now: Date,
): Promise<{ subscriptionId: string; month: string }[]> {
  const epoch = `${hostId}:${report.epoch}`;
  const { first, last } = lastDays(now);
  const { rows } = await sql<{ subscriptionId: string; month: string }>`
    with grown as (
      select key.id, key.customer_id, key.subscription_id, said.day,
        greatest(said."downBytes", coalesce(known.down_bytes, 0)) as down,
        greatest(said."upBytes", coalesce(known.up_bytes, 0)) as up,
        greatest(said."downBytes" - coalesce(known.down_bytes, 0), 0) as more_down,
        greatest(said."upBytes" - coalesce(known.up_bytes, 0), 0) as more_up
      from jsonb_to_recordset(${JSON.stringify(report.usage)}::jsonb)
        as said ("keyId" text, day text, "downBytes" bigint, "upBytes" bigint)
      join vpn_key key on key.id = said."keyId"
      left join key_usage_day known on known.key_id = said."keyId" and known.day = said.day and known.epoch = ${epoch}
      where said.day between ${first} and ${last}
        and (said."downBytes" > coalesce(known.down_bytes, 0) or said."upBytes" > coalesce(known.up_bytes, 0))
        and (known.key_id is not null or exists (
          select from assignment where assignment.subscription_id = key.subscription_id and host_id = ${hostId}
        ))
    ),
    days as (
      insert into key_usage_day (key_id, customer_id, day, epoch, down_bytes, up_bytes)
      select id, customer_id, day, ${epoch}, max(down), max(up) from grown group by id, customer_id, day
      on conflict (key_id, day, epoch) do update set down_bytes = excluded.down_bytes, up_bytes = excluded.up_bytes
    ),
    months as (
      insert into key_usage (key_id, customer_id, month, down_bytes, up_bytes)
      select id, customer_id, left(day, 7), sum(more_down), sum(more_up) from (
        select id, customer_id, day, max(more_down) as more_down, max(more_up) as more_up from grown
        group by id, customer_id, day
      ) day group by id, customer_id, left(day, 7)
      on conflict (key_id, month) do update set
        down_bytes = key_usage.down_bytes + excluded.down_bytes,
        up_bytes = key_usage.up_bytes + excluded.up_bytes
    )
    select distinct subscription_id as "subscriptionId", left(day, 7) as month from grown`.execute(tx);
  return rows;
}

/** Deletes daily usage that no chart shows any more. Only the sums of months stay (K11). */
export async function deleteOldUsage(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('key_usage_day').where('day', '<', lastDays(now).first).execute();
}
