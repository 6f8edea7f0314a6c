import { creditUnappliedTask } from './credit-unapplied.ts';
import { eraseGuestsTask } from './erase-guests.ts';
import { expireOrdersTask } from './expire-orders.ts';
import { fulfilStuckTask } from './fulfil-stuck.ts';

export const checkoutTasks = [expireOrdersTask, fulfilStuckTask, creditUnappliedTask, eraseGuestsTask];
