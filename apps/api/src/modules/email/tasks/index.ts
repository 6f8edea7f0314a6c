import { sendCollectedTask } from './send-collected.ts';
import { sweepCollectedTask } from './sweep-collected.ts';
import { sweepSentTask } from './sweep-sent.ts';

export const emailTasks = [sendCollectedTask, sweepCollectedTask, sweepSentTask];
