import { sql } from 'kysely';
import type { Db } from '../../ports/database.ts';
import type { LiveBus } from '../../ports/live.ts';

/**
 * Records that the desired set of a host has changed. The host's next request assigns one revision to all pending changes,
 * so that writers never wait for the row of the host.
 * @param of the changed subscription; without it the host itself
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

/** The device that a change is about. `ends`: the change takes away a right (the device, its earlier files). */
export type KeyChange = { keyId: string; ends: boolean };

/**
 * Marks the host of a subscription dirty after a change that it must know: keys, rates, revoked files. A right that ends
 * also concerns a host that the subscription is leaving, which may still serve it.
 */
export const markDirty = (
  deps: { live: LiveBus },
  tx: Db,
  subscriptionId: string,
  of?: KeyChange,
): Promise<void> => markAllDirty(deps, tx, [subscriptionId], of);

/** {@link markDirty} for many subscriptions, in one statement. */
export async function markAllDirty(
  { live }: { live: LiveBus },
  tx: Db,
  subscriptionIds: readonly string[],
  of?: KeyChange,
): Promise<void> {
  const rows = await tx
    .with('its', cte =>
      cte
        .selectFrom('assignment')
        .select(['host_id', 'subscription_id', 'customer_id'])
        .select([
          sql<string | null>`${of?.keyId ?? null}::text`.as('key_id'),
          sql<boolean>`${of?.ends ?? false}::boolean`.as('ends'),
        ])
        .where('subscription_id', '=', sql<string>`any(${subscriptionIds})`)
        .$if(!of?.ends, qb => qb.where('status', '!=', 'leaving')),
    )
    .with('changed', cte =>
      cte
        .insertInto('pending_change')
        .columns(['host_id', 'subscription_id', 'customer_id', 'key_id', 'ends'])
        .expression(eb => eb.selectFrom('its').selectAll()),
    )
    .selectFrom('its')
    .select('host_id')
    .distinct()
    .execute();
  for (const { host_id } of rows) await live.hostChanged(tx, host_id);
}

/**
 * Assigns the next revision to all pending changes of a host, under the lock of its row, so that a revision includes all
 * changes up to it. Takes no lock when there are none, as for most requests.
 * @returns revision before and now
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
 * Advances the revision past a host's newer one, which exists after a restore from backup. The host then gets everything,
 * because the changes in between are lost.
 * @returns whether the host was ahead
 */
export async function overtakeHost(db: Db, hostId: string, known: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('host')
    .set({ revision: known + 1, applied_revision: known + 1 })
    .where('id', '=', hostId)
    // Equal is ahead too: a change since the restore may have reached the same number.
    .where('revision', '<=', known)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
