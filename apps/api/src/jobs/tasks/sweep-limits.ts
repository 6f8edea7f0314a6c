import type { ScheduledTask } from '../../ports/jobs.ts';
import type { Limits } from '../../ports/limits.ts';

export const sweepLimitsTask: ScheduledTask<{ limits: Limits }> = {
  name: 'sweepLimits',
  interval: 'minute',
  description: 'Deletes counters of rate limits whose time is over.',
  run: ({ limits }) => limits.sweep(),
};
