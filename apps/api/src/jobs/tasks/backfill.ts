import type { ScheduledTask } from '../../ports/jobs.ts';
import { type BackfillDeps, runBackfills } from '../backfill.ts';

export const backfillTask: ScheduledTask<BackfillDeps> = {
  name: 'backfill',
  interval: 'minute',
  description: 'Moves rows to the shape of a new version, for up to 20 seconds at a time.',
  run: runBackfills,
};
