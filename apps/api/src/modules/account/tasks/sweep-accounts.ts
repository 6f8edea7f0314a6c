import type { ScheduledTask } from '../../../ports/jobs.ts';
import { sweepAccounts } from '../sweep-accounts.ts';

export const sweepAccountsTask: ScheduledTask = {
  name: 'sweepAccounts',
  interval: 'minute',
  description:
    'Deletes ended sessions, and expired codes, links, passkey ceremonies and changes of an address.',
  run: ({ db, systemClock }) => sweepAccounts({ db, clock: systemClock }),
};
