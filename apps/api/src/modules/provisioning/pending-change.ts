import { sql } from 'kysely';
import type { Db } from '../../ports/database.ts';
import type { LiveBus } from '../../ports/live.ts';

/**
 * Something that a host shall run has changed: written beside the change and taken up by the host's next question, many
 * changes in one revision. Nobody waits for the host's row.
 * @param of whose; without it something of the host itself
 */
export async function markHostDirty(
  live: LiveBus,
  tx: Db,
  hostId: string,
  of?: { subscriptionId: string; customerId: string },
): Promise<void> {
  await tx
    .insertInto('pending_change')
    .values({ host_id: hostId, subscription_id: of?.subscriptionId, customer_id: of?.customerId })
    .execute();
  await live.hostChanged(tx, hostId);
}

/** Something of a subscription changed that its host must know (keys, rates, revoked files). */
export async function markDirty({ live }: { live: LiveBus }, tx: Db, subscriptionId: string): Promise<void> {
  const rows = await tx
    .with('its', cte =>
      cte
        .selectFrom('assignment')
        .select(['host_id', 'subscription_id', 'customer_id'])
        .where('subscription_id', '=', subscriptionId)
        .where('status', '!=', 'leaving'),
    )
    .with('changed', cte =>
      cte
        .insertInto('pending_change')
        .columns(['host_id', 'subscription_id', 'customer_id'])
        .expression(eb => eb.selectFrom('its').selectAll()),
    )
    .selectFrom('its')
    .select('host_id')
    .execute();
  for (const { host_id } of rows) await live.hostChanged(tx, host_id);
}

/**
 * Takes up what has changed for a host since it was asked last, in one statement. Under the lock of its row, so that whoever
 * knows a revision knows all changes up to it. Most questions find nothing new: they are answered without that lock.
 * @returns its revision, as it was before and now
 */
export async function assignRevision(db: Db, hostId: string): Promise<{ before: number; now: number }> {
  const { revision, changed } = await db
    .selectFrom('host')
    .select(({ exists, selectFrom }) => [
      'revision',
      exists(
        selectFrom('pending_change')
          .select('pending_change.id')
          .whereRef('pending_change.host_id', '=', 'host.id')
          .where('pending_change.revision', 'is', null),
      ).as('changed'),
    ])
    .where('id', '=', hostId)
    .executeTakeFirstOrThrow();
  if (!changed) return { before: revision, now: revision };
  const { rows } = await sql<{ before: number; now: number }>`
    with locked as materialized (select id, revision from host where id = ${hostId} for no key update),
    taken as (
      update pending_change set revision = locked.revision + 1 from locked
      where pending_change.host_id = locked.id and pending_change.revision is null
      returning pending_change.id
    ),
    counted as (
      update host set revision = locked.revision + 1 from locked
      where host.id = locked.id and exists (select from taken)
      returning host.revision
    )
    select locked.revision as before, coalesce(counted.revision, locked.revision) as now
    from locked left join counted on true`.execute(db);
  return rows[0]!;
}

/**
 * A host knows a newer revision than the shop: the shop was restored from a backup. It goes on behind that one, and the
 * host gets everything, because nobody knows what has changed since.
 * @returns whether it was so
 */
export async function overtakeHost(db: Db, hostId: string, known: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('host')
    .set({ revision: known + 1, applied_revision: known + 1 })
    .where('id', '=', hostId)
    // Its own next change may have brought it just there.
    .where('revision', '<=', known)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
