import { newCorrelation } from '../../crypto/secrets.ts';
import type { Db } from '../../ports/database.ts';
import type { Jobs, LoginChange } from '../../ports/jobs.ts';

/** Emails the customer that a login method was added, removed or changed, which is what a session thief does first. */
export const notifyLoginChanged = (
  { jobs }: { jobs: Jobs },
  tx: Db,
  customerId: string,
  change: LoginChange,
): Promise<void> =>
  jobs.enqueue(tx, 'sendEmail', {
    template: 'loginChanged',
    customerId,
    subjectId: newCorrelation(),
    change,
  });
