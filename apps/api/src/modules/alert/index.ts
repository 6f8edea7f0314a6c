/**
 * alert — owns the list of alerts that somebody has to act on.
 * Promises: one row per kind and subject, from first occurrence to resolution; nothing else notifies staff.
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
