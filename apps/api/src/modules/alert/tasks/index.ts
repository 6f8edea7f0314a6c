import { announceAlertsTask } from './announce-alerts.ts';
import { deleteOldAlertsTask } from './delete-old-alerts.ts';
import { sendHeartbeatTask } from './send-heartbeat.ts';

export const alertTasks = [announceAlertsTask, deleteOldAlertsTask, sendHeartbeatTask];
