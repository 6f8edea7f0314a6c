import type { ScheduledTask } from '../../../ports/jobs.ts';
import { followMovesOf } from '../move.ts';

export const followMovesTask: ScheduledTask = {
  name: 'followMoves',
  interval: 'minute',
  description: 'Continues moves of address pools to another host.',
  queue: 'followMove',
  run: deps => followMovesOf(deps),
};
