import { eachRow } from '../../jobs/each-row.ts';
import type { ScheduledTask } from '../../ports/jobs.ts';
import { type TellDeps, tellCardExpiry } from './saved-method/index.ts';
import { skipKnownEvents } from './webhook-event/index.ts';

const BATCH = 500;
/** A notice that is not worked off after this long has no job: nobody waited for it, or what it is about was unknown. */
const LATE_MS = 60_000;

/** What payment looks after every minute: attempts and refunds without news, notices without a job, cards that run out. */
export function paymentTasks(deps: TellDeps): ScheduledTask[] {
  const { db, clock, jobs } = deps;
  return [
    {
      name: 'askAttempts',
      async run() {
        const due = await db
          .selectFrom('attempt')
          .select('id')
          .where('ask_at', '<=', clock.now())
          .orderBy('ask_at')
          .limit(BATCH)
          .execute();
        for (const { id } of due) await jobs.enqueue(db, 'askAttempt', { attemptId: id });
      },
    },
    {
      name: 'followRefunds',
      async run() {
        const due = await db
          .selectFrom('refund')
          .select('id')
          .where('ask_at', '<=', clock.now())
          .orderBy('ask_at')
          .limit(BATCH)
          .execute();
        for (const { id } of due) await jobs.enqueue(db, 'followRefund', { refundId: id });
      },
    },
    {
      name: 'followDisputes',
      async run() {
        const due = await db
          .selectFrom('dispute')
          .innerJoin('attempt', 'attempt.id', 'dispute.attempt_id')
          .innerJoin('gateway_customer', 'gateway_customer.id', 'attempt.gateway_customer_id')
          .select(['gateway_customer.provider', 'dispute.provider_ref as ref'])
          .where('dispute.ask_at', '<=', clock.now())
          .orderBy('dispute.ask_at')
          .limit(BATCH)
          .execute();
        for (const { provider, ref } of due) await jobs.enqueue(db, 'followDispute', { provider, ref });
      },
    },
    {
      name: 'workOffNotices',
      async run() {
        await skipKnownEvents(deps);
        const late = await db
          .selectFrom('provider_event')
          .select(['provider', 'event_id as eventId'])
          .where('processed_at', 'is', null)
          .where('received_at', '<', new Date(clock.now().getTime() - LATE_MS))
          .orderBy('received_at')
          .limit(BATCH)
          .execute();
        await jobs.enqueueAll(db, 'providerEvent', late);
      },
    },
    {
      name: 'tellCardExpiry',
      async run() {
        const due = await db
          .selectFrom('saved_method')
          .select('id')
          .where('notify_at', '<=', clock.now())
          .orderBy('notify_at')
          .limit(BATCH)
          .execute();
        await eachRow(
          due,
          ({ id }) => id,
          ({ id }) => tellCardExpiry(deps, id),
        );
      },
    },
  ];
}
