import { forgetPlaceNoticesTask } from './forget-place-notices.ts';
import { sendPlaceNoticesTask } from './send-place-notices.ts';

export const catalogTasks = [sendPlaceNoticesTask, forgetPlaceNoticesTask];
