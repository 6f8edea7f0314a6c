import { enqueueDue } from '../../../jobs/enqueue-due.ts';
import type { TaskDeps } from '../../../ports/jobs.ts';

const BATCH = 500;

export const askAttemptsTask = enqueueDue({
  name: 'askAttempts',
  interval: 'minute',
  description: 'Asks gateways for the state of payments that no webhook has settled.',
  queue: 'askAttempt',
  find: ({ db, clock }: TaskDeps) =>
    db
      .selectFrom('attempt')
      .select('id as attemptId')
      .where('ask_at', '<=', clock.now())
      .orderBy('ask_at')
      .limit(BATCH)
      .execute(),
});
