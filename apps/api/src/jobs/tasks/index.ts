export { alertFailingJobsTask } from './alert-failing-jobs.ts';
export { backfillTask } from './backfill.ts';
export { sweepIdempotencyRecordsTask } from './sweep-idempotency-records.ts';
export { sweepLimitsTask } from './sweep-limits.ts';
export { takeJobRequestsTask } from './take-job-requests.ts';
