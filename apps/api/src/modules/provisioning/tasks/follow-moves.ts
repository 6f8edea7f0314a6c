import type { ScheduledTask } from '../../../ports/jobs.ts';
import { enqueueMigrationSteps } from '../migrate-host.ts';

export const followMovesTask: ScheduledTask = {
  name: 'followMoves',
  interval: 'minute',
  description: 'Continues moves of address pools to another host.',
  queue: 'followMove',
  run: deps => enqueueMigrationSteps(deps),
};
