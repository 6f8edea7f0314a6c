import { sql } from 'kysely';
import { enqueueDue } from '../../../jobs/enqueue-due.ts';
import type { TaskDeps } from '../../../ports/jobs.ts';

const BATCH = 500;

export const activateRunningTask = enqueueDue({
  name: 'activateRunning',
  interval: 'minute',
  description: 'Activates subscriptions whose tunnel is up, in case the host’s report was not followed.',
  queue: 'activateSubscription',
  find: ({ db }: TaskDeps) =>
    db
      .selectFrom('subscription')
      .select('id as subscriptionId')
      .where('status', '=', sql.lit('provisioning'))
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('assignment')
            .select('id')
            .whereRef('assignment.subscription_id', '=', 'subscription.id')
            .where('assignment.status', '=', sql.lit('up')),
        ),
      )
      .limit(BATCH)
      .execute(),
});
