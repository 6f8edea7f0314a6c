import type { ScheduledTask, TaskDeps } from '../../../ports/jobs.ts';
import type { PersonalData } from '../account.ts';
import { eraseAccounts } from '../erase-accounts.ts';

export const eraseAccountsTask: ScheduledTask<TaskDeps & { personal: readonly PersonalData[] }> = {
  name: 'eraseAccounts',
  interval: 'minute',
  description: 'Erases the personal data of deleted accounts once the last email to them has been sent.',
  run: ({ db, systemClock, personal }) => eraseAccounts({ db, clock: systemClock }, personal),
};
