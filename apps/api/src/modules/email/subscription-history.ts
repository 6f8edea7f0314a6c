import type { Db } from '../../ports/database.ts';

/** The last entry of a command in the history of a subscription. */
export const lastEntry = (db: Db, subscriptionId: string, command: string) =>
  db
    .selectFrom('subscription_history')
    .select(['at', 'detail'])
    .where('subscription_id', '=', subscriptionId)
    .where('command', '=', command)
    .orderBy('version', 'desc')
    .limit(1);
