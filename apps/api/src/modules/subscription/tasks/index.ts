import { activateRunningTask } from './activate-running.ts';
import { alertLongWaitsTask } from './alert-long-waits.ts';
import { announceVatTask } from './announce-vat.ts';
import { placeWaitingTask } from './place-waiting.ts';
import { renewDueTask } from './renew-due.ts';

export const subscriptionTasks = [
  placeWaitingTask,
  alertLongWaitsTask,
  renewDueTask,
  activateRunningTask,
  announceVatTask,
];
