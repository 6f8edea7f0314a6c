/**
 * alert — owns the list of alerts that somebody has to act on, and the messages that tell staff of them.
 * Promises: one row per kind and subject, kept for 90 days after it is resolved; one message per channel when an alert is
 * opened and one when it is resolved; nothing else notifies staff.
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
export { deliverAlert } from './deliver-alert.ts';
export { factTexts } from './facts-text.ts';
export { alertKinds, isAlertKind } from './kinds.ts';
export { testMessage } from './message.ts';
export { deadJob, retrySubject } from './retry.ts';
export { severityOf } from './severities.ts';
export { alertTasks } from './tasks/index.ts';
