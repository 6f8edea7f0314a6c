import { askAttemptsTask } from './ask-attempts.ts';
import { endLegalRetentionTask } from './end-legal-retention.ts';
import { followDisputesTask } from './follow-disputes.ts';
import { followRefundsTask } from './follow-refunds.ts';
import { notifyCardExpiryTask } from './notify-card-expiry.ts';
import { processLateWebhookEventsTask } from './process-late-webhook-events.ts';
import { sweepSavingsTask } from './sweep-savings.ts';

export const paymentTasks = [
  askAttemptsTask,
  followRefundsTask,
  followDisputesTask,
  processLateWebhookEventsTask,
  notifyCardExpiryTask,
  endLegalRetentionTask,
  sweepSavingsTask,
];
