import { retainedSince } from '@fixpoint/domain/billing/retention.ts';
import type { ScheduledTask, TaskDeps } from '../../../ports/jobs.ts';
import { endLegalRetention } from '../legal-retention.ts';

export const endLegalRetentionTask: ScheduledTask<TaskDeps & { retentionYears: number }> = {
  name: 'endKeeping',
  interval: 'minute',
  description:
    'Removes the buyer from invoices and payments of erased accounts when the legal retention (`INVOICES_KEPT_YEARS`) is over.',
  run: ({ db, clock, retentionYears }) => endLegalRetention(db, retainedSince(clock.now(), retentionYears)),
};
