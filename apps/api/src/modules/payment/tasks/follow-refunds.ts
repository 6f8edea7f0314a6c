import { enqueueDue } from '../../../jobs/enqueue-due.ts';
import type { TaskDeps } from '../../../ports/jobs.ts';

const BATCH = 500;

export const followRefundsTask = enqueueDue({
  name: 'followRefunds',
  interval: 'minute',
  description: 'Sends refunds that are due, and asks gateways for the state of refunds under way.',
  queue: 'followRefund',
  find: ({ db, clock }: TaskDeps) =>
    db
      .selectFrom('refund')
      .select('id as refundId')
      .where('ask_at', '<=', clock.now())
      .orderBy('ask_at')
      .limit(BATCH)
      .execute(),
});
