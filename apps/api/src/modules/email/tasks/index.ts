import { sendCollectedTask } from './send-collected.ts';
import { sweepCollectedTask } from './sweep-collected.ts';

export const emailTasks = [sendCollectedTask, sweepCollectedTask];
