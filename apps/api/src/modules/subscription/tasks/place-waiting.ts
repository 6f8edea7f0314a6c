import { enqueueDue } from '../../../jobs/enqueue-due.ts';
import type { TaskDeps } from '../../../ports/jobs.ts';
import { waitingForHost } from '../place-waiting.ts';

export const placeWaitingTask = enqueueDue({
  name: 'placeWaiting',
  interval: 'minute',
  description: 'Looks for a host for paid subscriptions that wait for one.',
  queue: 'placeSubscription',
  async find({ db, clock }: TaskDeps) {
    const waiting = await waitingForHost(db, clock.now());
    return waiting.map(subscriptionId => ({ subscriptionId }));
  },
});
