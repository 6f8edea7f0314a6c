import { sql } from 'kysely';
import type { Db } from '../ports/database.ts';

/**
 * The next instant after `now` at which a duty finds something to do; null when nothing waits for a time. Each part is the
 * head of an index.
 */
export async function nextDue(db: Db, now: Date): Promise<Date | null> {
  const { rows } = await sql<{ due: Date | null }>`
    select least(
      (select min(ask_at) from attempt where ask_at > ${now}),
      (select min(ask_at) from refund where ask_at > ${now}),
      (select min(due_at) from subscription where due_at > ${now}),
      (select min(papers_at) from invoice where papers_at > ${now}),
      (select min(held_until) from static_ip where held_until > ${now}),
      (select min(tell_at) from static_ip where tell_at > ${now}),
      (select min(tell_at) from saved_method where tell_at > ${now}),
      (select min(expires_at) from shop_order
        where status in ('draft', 'awaitingPayment', 'failed') and expires_at > ${now})
    ) as due`.execute(db);
  return rows[0]!.due;
}
