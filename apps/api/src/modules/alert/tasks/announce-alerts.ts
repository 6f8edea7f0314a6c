import type { ScheduledTask } from '../../../ports/jobs.ts';
import { type AnnounceDeps, announceAlerts } from '../announce-alerts.ts';

export const announceAlertsTask: ScheduledTask<AnnounceDeps> = {
  name: 'announceAlerts',
  interval: 'minute',
  description:
    'Sends a message to each channel for each alert that was opened or resolved, and the daily digest.',
  queue: 'deliverAlert',
  run: announceAlerts,
};
