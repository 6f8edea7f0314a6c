import { enqueueDue } from '../../../jobs/enqueue-due.ts';
import type { TaskDeps } from '../../../ports/jobs.ts';

/**
 * Up to this many in a minute. On a day on which many renew, a buyer's receipt does not wait for all of theirs, and the
 * processor has time for charges.
 */
const BATCH = 1000;

export const generateDocumentsTask = enqueueDue({
  name: 'generateDocuments',
  interval: 'minute',
  description:
    'Generates the documents that nobody waits for: those of renewals, and those that lost their job.',
  queue: 'generateDocuments',
  find: ({ db, clock }: TaskDeps) =>
    db
      .selectFrom('invoice')
      .select('id as invoiceId')
      .where('documents_due_at', '<=', clock.now())
      .orderBy('documents_due_at')
      .limit(BATCH)
      .execute(),
});
