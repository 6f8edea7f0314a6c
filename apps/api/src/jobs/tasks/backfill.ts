import type { Db } from '../../ports/database.ts';
import type { ScheduledTask } from '../../ports/jobs.ts';
import { type Backfill, runBackfills } from '../backfill.ts';

type Deps = { db: Db; version: string; backfills: readonly Backfill[] };

export const backfillTask: ScheduledTask<Deps> = {
  name: 'backfill',
  interval: 'minute',
  description: 'Moves rows to the shape of a new version, for up to 20 seconds at a time.',
  run: runBackfills,
};
