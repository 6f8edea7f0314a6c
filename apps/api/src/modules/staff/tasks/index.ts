import { sweepPreviewsTask } from './sweep-previews.ts';

export const staffTasks = [sweepPreviewsTask];
