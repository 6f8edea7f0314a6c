import type { HostReport } from '@fixpoint/contract/agent.ts';
import { sql } from 'kysely';
import { failPoint } from '../../failpoints.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';

/**
 * Takes over what a host says: only about subscriptions that are assigned to it (S79). Usage totals only grow, so a
 * report that comes twice or late changes nothing.
 */
export async function recordReport(
  { db, clock, onUp }: { db: Db; clock: Clock; onUp(tx: Db, subscriptionId: string): Promise<void> },
  hostId: string,
  report: HostReport,
): Promise<void> {
  const cameUp = await db.transaction().execute(async tx => {
    let up = false;
    await tx
      .updateTable('host')
      .set({ seen_at: clock.now(), applied_revision: report.revision })
      .where('id', '=', hostId)
      .where('applied_revision', '<=', report.revision)
      .execute();

    for (const { id, state } of report.subscriptions) {
      const changed = await tx
        .updateTable('assignment')
        .set({ status: state })
        .where('subscription_id', '=', id)
        .where('host_id', '=', hostId)
        .where('status', '!=', state)
        .returning('subscription_id')
        .executeTakeFirst();
      if (changed && state === 'up') {
        await onUp(tx, id);
        up = true;
      }
    }

    const mine = new Set(
      (
        await tx
          .selectFrom('vpn_key')
          .innerJoin('assignment', 'assignment.subscription_id', 'vpn_key.subscription_id')
          .select('vpn_key.id')
          .where('assignment.host_id', '=', hostId)
          .where('vpn_key.id', 'in', ['', ...report.usage.map(usage => usage.keyId)])
          .execute()
      ).map(row => row.id),
    );
    const usage = report.usage.filter(row => mine.has(row.keyId));
    if (usage.length === 0) return up;
    await tx
      .insertInto('key_usage')
      .values(
        usage.map(row => ({
          key_id: row.keyId,
          month: row.month,
          down_bytes: row.downBytes,
          up_bytes: row.upBytes,
        })),
      )
      .onConflict(conflict =>
        conflict.columns(['key_id', 'month']).doUpdateSet({
          down_bytes: sql<number>`greatest(key_usage.down_bytes, excluded.down_bytes)`,
          up_bytes: sql<number>`greatest(key_usage.up_bytes, excluded.up_bytes)`,
        }),
      )
      .execute();
    return up;
  });
  if (cameUp) failPoint('subscription.up');
}
