import { enqueueDue } from '../../../jobs/enqueue-due.ts';
import type { TaskDeps } from '../../../ports/jobs.ts';
import { unsettledInvoices } from '../credit-unapplied.ts';

export const creditUnappliedTask = enqueueDue({
  name: 'creditUnapplied',
  interval: 'minute',
  description: 'Turns unapplied payments of orders that are over into credit of their customers.',
  queue: 'creditUnapplied',
  find: ({ db, clock }: TaskDeps) => unsettledInvoices(db, clock.now()),
});
