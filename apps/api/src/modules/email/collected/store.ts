import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '../../../ports/database.ts';
import type { Jobs } from '../../../ports/jobs.ts';

/** Limit of emails that leave as one: their documents are attached. The rest leaves as another one. */
const MOST = 100;

export type CollectedOf = { customerId: string; kind: string };

/** Serializes what happens to the waiting emails of one kind to one customer until the transaction is over. */
export async function lockKind(tx: Db, { customerId, kind }: CollectedOf): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`email ${customerId} ${kind}`}, 0))`.execute(tx);
}

/** Has the waiting emails of a kind leave, under its lock. */
export async function releaseKind(jobs: Jobs, tx: Db, of: CollectedOf): Promise<void> {
  for (;;) {
    const batch = randomUUID();
    const released = await tx
      .updateTable('collected_email')
      .set({ batch })
      .where('id', 'in', eb =>
        eb
          .selectFrom('collected_email')
          .select('id')
          .where('customer_id', '=', of.customerId)
          .where('kind', '=', of.kind)
          .where('batch', 'is', null)
          .orderBy('id')
          .limit(MOST),
      )
      .returning('id')
      .execute();
    if (released.length === 0) return;
    await jobs.enqueue(tx, 'sendCollected', { customerId: of.customerId, batch });
  }
}
