import { sql } from 'kysely';
import type { Db } from '../../ports/database.ts';
import type { LiveBus } from '../../ports/live.ts';

/**
 * Something that a host shall run has changed: written beside the change and taken up by the host's next question, many
 * changes in one revision. Nobody waits for the host's row.
 */
export async function changeHost(
  live: LiveBus,
  tx: Db,
  hostId: string,
  customerId: string | null,
): Promise<void> {
  await tx.insertInto('host_change').values({ host_id: hostId, customer_id: customerId }).execute();
  await live.hostChanged(tx, hostId);
}

/** Something of a subscription changed that its host must know (keys, rates, revoked files). */
export async function touch({ live }: { live: LiveBus }, tx: Db, subscriptionId: string): Promise<void> {
  const rows = await tx
    .selectFrom('assignment')
    .select(['host_id', 'customer_id'])
    .where('subscription_id', '=', subscriptionId)
    .where('status', '!=', 'leaving')
    .execute();
  for (const { host_id, customer_id } of rows) await changeHost(live, tx, host_id, customer_id);
}

/**
 * Takes up what has changed for a host since it was asked last.
 * @returns its revision now
 */
export async function takeUpChanges(db: Db, hostId: string): Promise<number> {
  const { rows } = await sql<{ revision: number }>`
    with taken as (delete from host_change where host_id = ${hostId} returning 1)
    update host set revision = revision + 1
    where id = ${hostId} and exists (select from taken)
    returning revision`.execute(db);
  if (rows[0]) return rows[0].revision;
  const host = await db
    .selectFrom('host')
    .select('revision')
    .where('id', '=', hostId)
    .executeTakeFirstOrThrow();
  return host.revision;
}
