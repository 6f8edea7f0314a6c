import { enqueueDue } from '../../../jobs/enqueue-due.ts';
import type { TaskDeps } from '../../../ports/jobs.ts';
import type { PaymentDeps } from '../deps.ts';
import { skipKnownEvents } from '../webhook-event/index.ts';

const BATCH = 500;
/** A webhook event that is not processed after this long has lost its job, or was about something unknown. */
const LATE_MS = 60_000;

export const processLateWebhookEventsTask = enqueueDue({
  name: 'workOffNotices',
  interval: 'minute',
  description:
    'Marks webhook events that tell nothing new as processed, and processes those that lost their job.',
  queue: 'providerEvent',
  async find(deps: TaskDeps & Pick<PaymentDeps, 'gateways'>) {
    const { db, clock } = deps;
    await skipKnownEvents(deps);
    return db
      .selectFrom('provider_event')
      .select(['provider', 'event_id as eventId'])
      .where('processed_at', 'is', null)
      .where('received_at', '<', new Date(clock.now().getTime() - LATE_MS))
      .orderBy('received_at')
      .limit(BATCH)
      .execute();
  },
});
