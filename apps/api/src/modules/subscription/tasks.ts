import { sql } from 'kysely';
import type { ScheduledTask } from '../../ports/jobs.ts';
import type { SubscriptionDeps } from './deps.ts';
import { longWaitsTask } from './long-waits.ts';
import { waitingForHost } from './place-waiting.ts';

const BATCH = 500;
/** Many renew on one day. More in a minute no provider would charge: it takes less than 100 calls in a second. */
const RENEWED_A_MINUTE = 6000;

/** What subscription looks after every minute: those that wait for a host, that run and do not know it, that renew or end. */
export function subscriptionTasks({ db, clock, jobs }: SubscriptionDeps): ScheduledTask[] {
  return [
    {
      name: 'placeWaiting',
      async run() {
        for (const id of await waitingForHost(db, clock.now())) {
          await jobs.enqueue(db, 'placeSubscription', { subscriptionId: id });
        }
      },
    },
    longWaitsTask({ db, clock }),
    {
      name: 'renewDue',
      async run() {
        const due = await db
          .selectFrom('subscription')
          .select('id')
          .where('due_at', '<=', clock.now())
          .orderBy('due_at')
          .limit(RENEWED_A_MINUTE)
          .execute();
        const all = due.map(({ id }) => ({ subscriptionId: id }));
        await jobs.enqueueAll(db, 'renewSubscription', all);
      },
    },
    {
      name: 'activateRunning',
      async run() {
        const running = await db
          .selectFrom('subscription')
          .select('id')
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
          .execute();
        for (const { id } of running) await jobs.enqueue(db, 'activateSubscription', { subscriptionId: id });
      },
    },
  ];
}
