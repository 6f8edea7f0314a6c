import { historyEvents } from '@fixpoint/contract/calls/subscription.ts';
import type { Db } from '../../ports/database.ts';

/** Years of a monthly subscription fit. */
const MOST = 50;

/** What happened to a subscription, newest first: the moves that say something to its customer. */
export async function historyOf(db: Db, subscriptionId: string) {
  const moves = await db
    .selectFrom('subscription_history')
    .select(['at', 'command'])
    .where('subscription_id', '=', subscriptionId)
    .where('command', 'in', historyEvents)
    .orderBy('version', 'desc')
    .limit(MOST)
    .execute();
  return moves.map(({ at, command }) => ({
    at: at.toISOString(),
    event: command as (typeof historyEvents)[number],
  }));
}
