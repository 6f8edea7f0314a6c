import { sql } from 'kysely';
import { enqueueDue } from '../../../jobs/enqueue-due.ts';
import type { TaskDeps } from '../../../ports/jobs.ts';

const BATCH = 500;
/** A paid order that is not fulfilled after this long has lost its job. */
const STUCK_MS = 60_000;

export const fulfilStuckTask = enqueueDue({
  name: 'fulfilStuck',
  interval: 'minute',
  description: 'Fulfils paid orders that lost their job.',
  queue: 'fulfilOrder',
  find: ({ db, clock }: TaskDeps) =>
    db
      .selectFrom('shop_order')
      .select('id as orderId')
      .where('status', '=', sql.lit('paid'))
      .where('paid_at', '<', new Date(clock.now().getTime() - STUCK_MS))
      .orderBy('paid_at')
      .limit(BATCH)
      .execute(),
});
