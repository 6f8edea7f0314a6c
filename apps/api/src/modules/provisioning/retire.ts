import type { Db } from '../../ports/database.ts';
import type { LiveBus } from '../../ports/live.ts';

/**
 * Takes a host out of service: from now on its certificates open nothing, and it gets nobody (FS14). What was never up on it
 * is placed anew like that of a silent host; what its customers use stays where their address is, until it is moved.
 * @returns how many subscriptions are on it
 * @throws Error when there is no such host
 */
export function retireHost({ db, live }: { db: Db; live: LiveBus }, hostId: string): Promise<number> {
  return db.transaction().execute(async tx => {
    const { numUpdatedRows } = await tx
      .updateTable('host')
      .set({
        ...{ status: 'retired', certificate_hash: null, previous_certificate_hash: null },
        ...{ enrol_hash: null, enrol_expires_at: null },
      })
      .where('id', '=', hostId)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw new Error(`There is no host ${hostId}.`);
    const { runs } = await tx
      .selectFrom('assignment')
      .select(eb => eb.fn.countAll<number>().as('runs'))
      .where('host_id', '=', hostId)
      .where('status', '!=', 'leaving')
      .executeTakeFirstOrThrow();
    // It may be waiting for an answer: that one is a refusal.
    await live.hostChanged(tx, hostId);
    return Number(runs);
  });
}
