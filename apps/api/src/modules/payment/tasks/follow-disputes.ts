import { enqueueDue } from '../../../jobs/enqueue-due.ts';
import type { TaskDeps } from '../../../ports/jobs.ts';

const BATCH = 500;

export const followDisputesTask = enqueueDue({
  name: 'followDisputes',
  interval: 'minute',
  description: 'Asks gateways for the state of open disputes.',
  queue: 'followDispute',
  find: ({ db, clock }: TaskDeps) =>
    db
      .selectFrom('dispute')
      .innerJoin('attempt', 'attempt.id', 'dispute.attempt_id')
      .innerJoin('gateway_customer', 'gateway_customer.id', 'attempt.gateway_customer_id')
      .select(['gateway_customer.provider', 'dispute.provider_ref as ref'])
      .where('dispute.ask_at', '<=', clock.now())
      .orderBy('dispute.ask_at')
      .limit(BATCH)
      .execute(),
});
