import type { IdempotencyRecords } from '../../ports/idempotency-records.ts';
import type { ScheduledTask } from '../../ports/jobs.ts';

export const sweepIdempotencyRecordsTask: ScheduledTask<{ idempotencyRecords: IdempotencyRecords }> = {
  name: 'sweepIdempotencyRecords',
  interval: 'minute',
  description: 'Deletes idempotency records whose time is over.',
  run: ({ idempotencyRecords }) => idempotencyRecords.sweep(),
};
