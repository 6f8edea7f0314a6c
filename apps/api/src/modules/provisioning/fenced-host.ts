import { LEASE_MS } from '@fixpoint/domain/host/host.ts';
import { sql } from 'kysely';
import { eachRow } from '../../jobs/each-row.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import type { LiveBus } from '../../ports/live.ts';

type Deps = { live: LiveBus; clock: Clock };

/** Fences the present machine of a host: its certificate admits nothing more. @param stoppedAt null: it may still serve */
export async function fenceMachine(
  tx: Db,
  host: {
    id: string;
    certificate_hash: Buffer | null;
    previous_certificate_hash: Buffer | null;
    seen_at: Date | null;
  },
  stoppedAt: Date | null,
): Promise<void> {
  if (!host.certificate_hash) return;
  await tx
    .insertInto('fenced_host')
    .values({
      certificate_hash: host.certificate_hash,
      previous_certificate_hash: host.previous_certificate_hash,
      host_id: host.id,
      seen_at: host.seen_at!,
      stopped_at: stoppedAt,
    })
    .onConflict(conflict => conflict.doNothing())
    .execute();
}

/** End of a machine's lease, after which its agent stops everything. Undefined when the lease has ended. */
function leaseEnd(seenAt: Date | null | undefined, now: Date): Date | undefined {
  if (!seenAt) return undefined;
  const end = new Date(seenAt.getTime() + LEASE_MS);
  return end > now ? end : undefined;
}

/** Time until which a fenced machine of a host may still serve: until it confirms that it stopped, or its lease ends. */
export async function earlierMayServeUntil(db: Db, hostId: string, now: Date): Promise<Date | undefined> {
  const { seen } = await db
    .selectFrom('fenced_host')
    .select(eb => eb.fn.max('seen_at').as('seen'))
    .where('host_id', '=', hostId)
    .where('stopped_at', 'is', null)
    .executeTakeFirstOrThrow();
  return leaseEnd(seen, now);
}

/** Time until which any machine of a host may serve, the present one included. */
export async function mayServeUntil(db: Db, hostId: string, now: Date): Promise<Date | undefined> {
  const present = await db
    .selectFrom('host')
    .select('seen_at')
    .where('id', '=', hostId)
    .where('status', '=', 'active')
    .executeTakeFirst();
  const ends = [leaseEnd(present?.seen_at, now), await earlierMayServeUntil(db, hostId, now)];
  return ends.reduce((latest, end) => (latest && (!end || end < latest) ? latest : end));
}

/** Whether no fenced machine of the host can still serve. */
export const isStopped = async (db: Db, hostId: string, now: Date): Promise<boolean> =>
  (await earlierMayServeUntil(db, hostId, now)) === undefined;

/** ID of the host whose fenced machine has this certificate hash. */
export async function fencedHostOf(db: Db, hash: Buffer): Promise<string | undefined> {
  const row = await db
    .selectFrom('fenced_host')
    .select('host_id')
    .where(({ eb, or }) =>
      or([eb('certificate_hash', '=', hash), eb('previous_certificate_hash', '=', hash)]),
    )
    .executeTakeFirst();
  return row?.host_id;
}

/** Records that a fenced machine has stopped, and lets the next host serve its addresses. */
export function recordMachineStopped({ db, ...deps }: Deps & { db: Db }, hash: Buffer): Promise<void> {
  return db.transaction().execute(async tx => {
    const rows = await tx
      .updateTable('fenced_host')
      .set({ stopped_at: deps.clock.now() })
      .where(({ eb, or }) =>
        or([eb('certificate_hash', '=', hash), eb('previous_certificate_hash', '=', hash)]),
      )
      .where('stopped_at', 'is', null)
      .returning('host_id')
      .execute();
    for (const { host_id } of rows) {
      await clearStoppedHost(deps, tx, host_id);
      // The machine in its place may be waiting.
      await deps.live.hostChanged(tx, host_id);
    }
  });
}

/** Deletes assignments that leave a host once none of its machines can serve: each has stopped or its lease has ended. */
export async function clearStoppedHost({ live, clock }: Deps, tx: Db, hostId: string): Promise<void> {
  if (await mayServeUntil(tx, hostId, clock.now())) return;
  const left = await tx
    .deleteFrom('assignment')
    .where('host_id', '=', hostId)
    .where('status', '=', 'leaving')
    .returning('address')
    .execute();
  await wakeNextHosts(
    live,
    tx,
    left.map(({ address }) => address),
  );
}

/** Does the same for all retired hosts, or for all active hosts whose lease has ended (`lost`). */
export async function clearStoppedHosts(
  { db, ...deps }: Deps & { db: Db },
  which: 'retired' | 'lost',
): Promise<void> {
  const tooOld = new Date(deps.clock.now().getTime() - LEASE_MS);
  const hosts = await db
    .selectFrom('host')
    .select('id')
    .where('status', '=', which === 'retired' ? 'retired' : 'active')
    .$if(which === 'lost', query => query.where('seen_at', '<=', tooOld))
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('assignment')
          .select('assignment.id')
          .whereRef('assignment.host_id', '=', 'host.id')
          .where('assignment.status', '=', 'leaving'),
      ),
    )
    .execute();
  await eachRow(
    hosts,
    ({ id }) => id,
    ({ id }) => db.transaction().execute(tx => clearStoppedHost(deps, tx, id)),
  );
}

/** Marks the next hosts of these addresses dirty, because the previous ones have stopped serving them. */
export async function wakeNextHosts(live: LiveBus, tx: Db, addresses: string[]): Promise<void> {
  if (addresses.length === 0) return;
  const { rows } = await sql<{ host_id: string }>`
    with next as (
      insert into pending_change (host_id, subscription_id, customer_id)
      select host_id, subscription_id, customer_id from assignment
      where address = any(${addresses}::inet[]) and status <> 'leaving'
      returning host_id
    )
    select distinct host_id from next`.execute(tx);
  for (const { host_id } of rows) await live.hostChanged(tx, host_id);
}
