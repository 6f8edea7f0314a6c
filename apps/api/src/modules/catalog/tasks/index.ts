import { alertLowPlacesTask } from './alert-low-places.ts';
import { alertSoldOutPlacesTask } from './alert-sold-out-places.ts';
import { forgetPlaceNoticesTask } from './forget-place-notices.ts';
import { sendPlaceNoticesTask } from './send-place-notices.ts';

export const catalogTasks = [
  sendPlaceNoticesTask,
  forgetPlaceNoticesTask,
  alertSoldOutPlacesTask,
  alertLowPlacesTask,
];
