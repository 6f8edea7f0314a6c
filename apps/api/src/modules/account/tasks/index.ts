import { applyEmailChangesTask } from './apply-email-changes.ts';
import { eraseAccountsTask } from './erase-accounts.ts';
import { sweepAccountsTask } from './sweep-accounts.ts';

export const accountTasks = [applyEmailChangesTask, eraseAccountsTask, sweepAccountsTask];
