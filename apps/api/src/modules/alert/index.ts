/**
 * alert — owns the list of alerts that somebody has to act on.
 * Promises: one row a matter, from when it was first seen until it is mended; nothing else raises an alarm.
 * Listens to nothing.
 */
export {
  listAlerts,
  MOST_OF_A_KIND,
  openAlertCounts,
  openAlertKinds,
  raiseAlert,
  renameSubject,
  resolveAlert,
  resolveByStaff,
  syncAlerts,
} from './alerts.ts';
export { deadJob, retrySubject } from './retry.ts';
