import { LEASE_MS } from '@fixpoint/domain/host/host.ts';
import { sql } from 'kysely';
import { eachRow } from '../../jobs/each-row.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import type { LiveBus } from '../../ports/live.ts';

type Deps = { live: LiveBus; clock: Clock };

/** The machine that a host is now must not serve any more. @param stoppedAt null: it may still do so */
export async function endMachine(
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
    .insertInto('ended_machine')
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

/** Until when an earlier machine of a host may serve: it has not said that it stopped, and its set is not too old yet. */
export async function mayServeUntil(db: Db, hostId: string, now: Date): Promise<Date | undefined> {
  const serving = await db
    .selectFrom('ended_machine')
    .select('seen_at')
    .where('host_id', '=', hostId)
    .where('stopped_at', 'is', null)
    .where('seen_at', '>', new Date(now.getTime() - LEASE_MS))
    .orderBy('seen_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return serving && new Date(serving.seen_at.getTime() + LEASE_MS);
}

/** Whether nobody serves any more who was this host before. */
export const isStopped = async (db: Db, hostId: string, now: Date): Promise<boolean> =>
  (await mayServeUntil(db, hostId, now)) === undefined;

/** The host whose ended machine shows this certificate. */
export async function endedHostOf(db: Db, hash: Buffer): Promise<string | undefined> {
  const row = await db
    .selectFrom('ended_machine')
    .select('host_id')
    .where(({ eb, or }) =>
      or([eb('certificate_hash', '=', hash), eb('previous_certificate_hash', '=', hash)]),
    )
    .executeTakeFirst();
  return row?.host_id;
}

/** An ended machine says that it serves nobody any more: who waits for that goes on. */
export function machineStopped({ db, ...deps }: Deps & { db: Db }, hash: Buffer): Promise<void> {
  return db.transaction().execute(async tx => {
    const rows = await tx
      .updateTable('ended_machine')
      .set({ stopped_at: deps.clock.now() })
      .where(({ eb, or }) =>
        or([eb('certificate_hash', '=', hash), eb('previous_certificate_hash', '=', hash)]),
      )
      .where('stopped_at', 'is', null)
      .returning('host_id')
      .execute();
    for (const { host_id } of rows) {
      await forgetStopped(deps, tx, host_id);
      // The machine in its place may be waiting.
      await deps.live.hostChanged(tx, host_id);
    }
  });
}

/** What leaves a retired host has left it, once its machines have stopped. */
export async function forgetStopped({ live, clock }: Deps, tx: Db, hostId: string): Promise<void> {
  if (!(await isStopped(tx, hostId, clock.now()))) return;
  const left = await tx
    .deleteFrom('assignment')
    .where('host_id', '=', hostId)
    .where('status', '=', 'leaving')
    .where(({ exists, selectFrom }) =>
      exists(selectFrom('host').select('id').where('id', '=', hostId).where('status', '=', 'retired')),
    )
    .returning('address')
    .execute();
  await wakeNext(
    live,
    tx,
    left.map(({ address }) => address),
  );
}

/** The same for all retired hosts that somebody waits for. */
export async function forgetAllStopped({ db, ...deps }: Deps & { db: Db }): Promise<void> {
  const hosts = await db
    .selectFrom('host')
    .select('id')
    .where('status', '=', 'retired')
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
    ({ id }) => db.transaction().execute(tx => forgetStopped(deps, tx, id)),
  );
}

/** Addresses that their old host serves no more: their next one may begin. */
export async function wakeNext(live: LiveBus, tx: Db, addresses: string[]): Promise<void> {
  if (addresses.length === 0) return;
  const { rows } = await sql<{ host_id: string }>`
    with next as (
      insert into host_change (host_id, subscription_id, customer_id)
      select host_id, subscription_id, customer_id from assignment
      where address = any(${addresses}::inet[]) and status <> 'leaving'
      returning host_id
    )
    select distinct host_id from next`.execute(tx);
  for (const { host_id } of rows) await live.hostChanged(tx, host_id);
}
