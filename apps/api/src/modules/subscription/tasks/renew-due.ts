import { enqueueDue } from '../../../jobs/enqueue-due.ts';
import type { TaskDeps } from '../../../ports/jobs.ts';

/** Many renew on one day. Gateways take less than 100 charges in a second, so more in a minute would only wait. */
const RENEWED_A_MINUTE = 6000;

export const renewDueTask = enqueueDue({
  name: 'renewDue',
  interval: 'minute',
  description: 'Takes the next step of renewals that are due: remind, invoice, charge, end.',
  queue: 'renewSubscription',
  find: ({ db, clock }: TaskDeps) =>
    db
      .selectFrom('subscription')
      .select('id as subscriptionId')
      .where('due_at', '<=', clock.now())
      .orderBy('due_at')
      .limit(RENEWED_A_MINUTE)
      .execute(),
});
