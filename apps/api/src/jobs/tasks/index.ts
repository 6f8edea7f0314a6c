import { alertFailingJobsTask } from './alert-failing-jobs.ts';
import { alertFailingMailTask } from './alert-failing-mail.ts';
import { alertNoApiTask } from './alert-no-api.ts';
import { backfillTask } from './backfill.ts';
import { laterMigrationsTask } from './later-migrations.ts';
import { sweepIdempotencyRecordsTask } from './sweep-idempotency-records.ts';
import { sweepLimitsTask } from './sweep-limits.ts';
import { takeJobRequestsTask } from './take-job-requests.ts';

/** Scheduled tasks that belong to no module. */
export const commonTasks = [
  takeJobRequestsTask,
  sweepLimitsTask,
  sweepIdempotencyRecordsTask,
  backfillTask,
  laterMigrationsTask,
  alertFailingJobsTask,
  alertFailingMailTask,
  alertNoApiTask,
];
