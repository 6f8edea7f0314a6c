import { sharesReached } from '@fixpoint/domain/bandwidth/usage.ts';
import { sql } from 'kysely';
import type { Db } from '../../ports/database.ts';
import type { Jobs } from '../../ports/jobs.ts';

/**
 * Notifies customers once a month each that their usage has reached 80 or 100 percent of the fair-use figure. Runs in the
 * transaction that records the usage. Sends one email when both are reached at once.
 */
export async function notifyFairUse(
  { jobs }: { jobs: Jobs },
  tx: Db,
  grown: readonly { subscriptionId: string; month: string }[],
): Promise<void> {
  const { rows } = await sql<{ id: string; customerId: string; month: string; gb: number; bytes: number }>`
    select s.id, s.customer_id as "customerId", u.month, s.data_transfer_gb as gb,
      sum(u.down_bytes + u.up_bytes)::bigint as bytes
    from jsonb_to_recordset(${JSON.stringify(grown)}::jsonb) as grown ("subscriptionId" text, month text)
    join subscription s on s.id = grown."subscriptionId"
    join vpn_key k on k.subscription_id = s.id
    join key_usage u on u.key_id = k.id and u.month = grown.month
    where s.status in ('active', 'pastDue')
    group by s.id, u.month`.execute(tx);
  for (const { id, customerId, month, gb, bytes } of rows) {
    const shares = sharesReached(bytes, gb);
    if (shares.length === 0) continue;
    const inserted = await tx
      .insertInto('usage_notice')
      .values(shares.map(percent => ({ subscription_id: id, customer_id: customerId, month, percent })))
      .onConflict(conflict => conflict.doNothing())
      .returning('percent')
      .execute();
    const [percent] = inserted.map(row => row.percent).sort((a, b) => b - a);
    if (percent === undefined) continue;
    const template = percent === 100 ? 'usageReached' : 'usageNear';
    await jobs.enqueue(tx, 'sendEmail', { template, customerId, subjectId: id, copy: `${id} ${month}` });
  }
}
