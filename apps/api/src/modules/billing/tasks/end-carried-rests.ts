import { sql } from 'kysely';
import type { ScheduledTask, TaskDeps } from '../../../ports/jobs.ts';
import { endCarriedRests } from '../carry.ts';

const BATCH = 100;

export const endCarriedRestsTask: ScheduledTask<TaskDeps> = {
  name: 'endCarriedRests',
  interval: 'hour',
  description:
    'Writes off, as goodwill and at most once in 30 days, the small rests of customers whose last subscription has ended.',
  async run({ db, clock }) {
    const now = clock.now();
    const { rows } = await sql<{ customerId: string }>`
      select distinct customer_id as "customerId" from invoice
      where carried_out > 0 and carried_ended = 0 and status = 'paid' and customer_id is not null
        and not exists (select from subscription where subscription.customer_id = invoice.customer_id and status <> 'expired')
        and not exists (select from shop_order where shop_order.customer_id = invoice.customer_id and shop_order.status = 'paid')
        and not exists (select from invoice earlier where earlier.customer_id = invoice.customer_id
          and earlier.carried_ended_at > ${now}::timestamptz - interval '30 days')
      limit ${BATCH}`.execute(db);
    for (const { customerId } of rows)
      await db.transaction().execute(tx => endCarriedRests(tx, now, customerId));
  },
};
