import { eraseAccountsTask } from './erase-accounts.ts';
import { sweepAccountsTask } from './sweep-accounts.ts';

export const accountTasks = [eraseAccountsTask, sweepAccountsTask];
