import type { ScheduledTask } from '../../../ports/jobs.ts';
import { sweepPreviews } from '../previews.ts';

export const sweepPreviewsTask: ScheduledTask = {
  name: 'sweepPreviews',
  interval: 'hour',
  description: 'Deletes plans of staff and their results a day after they expired.',
  run: ({ db }) => sweepPreviews(db),
};
