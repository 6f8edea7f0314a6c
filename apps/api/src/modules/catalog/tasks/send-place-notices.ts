import { enqueueDue } from '../../../jobs/enqueue-due.ts';
import type { TaskDeps } from '../../../ports/jobs.ts';
import { dueNotices } from '../place-notices.ts';

/** Up to this many in a minute: a place with one free address tells those who waited longest. */
const BATCH = 20;

export const sendPlaceNoticesTask = enqueueDue({
  name: 'sendPlaceNotices',
  interval: 'minute',
  description: 'Emails those who asked to be told when a sold-out place has a free address.',
  queue: 'sendPlaceNotice',
  find: ({ db, clock }: TaskDeps) => dueNotices(db, clock.now(), BATCH),
});
