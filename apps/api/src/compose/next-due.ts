import { sql } from 'kysely';
import type { Db } from '../ports/database.ts';

/**
 * The next instant after `after` at which a scheduled task finds something due; null: nothing is scheduled. Each part reads the
 * head of an index. Hourly work that catches up on everything since its last run (comparisons with gateways, sweeps) is left
 * out, because the clock would stop nine thousand times in a year.
 */
export async function nextDue(db: Db, after: Date): Promise<Date | null> {
  const { rows } = await sql<{ due: Date | null }>`
    select least(
      (select min(ask_at) from attempt where ask_at > ${after}),
      (select min(ask_at) from refund where ask_at > ${after}),
      (select min(ask_at) from dispute where ask_at > ${after}),
      (select min(due_at) from subscription where due_at > ${after}),
      (select min(documents_due_at) from invoice where documents_due_at > ${after}),
      (select min(reserved_until) from static_ip where reserved_until > ${after}),
      (select min(notify_at) from static_ip where notify_at > ${after}),
      (select min(due_at) from collected_email where batch is null and due_at > ${after}),
      (select min(cooldown_until) from static_ip where cooldown_until > ${after}),
      (select min(notify_at) from saved_method where notify_at > ${after}),
      (select min(expires_at) from shop_order
        where status in ('draft', 'awaitingPayment', 'failed') and expires_at > ${after})
    ) as due`.execute(db);
  return rows[0]!.due;
}
