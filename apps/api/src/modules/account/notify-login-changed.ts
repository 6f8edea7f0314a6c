import { newCorrelation } from '../../crypto/secrets.ts';
import type { Db } from '../../ports/database.ts';
import type { Jobs, LoginChange } from '../../ports/jobs.ts';

/**
 * Tells the owner by mail that another way to log in came, went or changed: whoever got hold of a session would
 * do that first, to come back later.
 */
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
