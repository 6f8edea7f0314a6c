import type { Db } from '../../../ports/database.ts';

/** Whether a payment has an open dispute. It must not be refunded meanwhile, or its payer may get the money twice. */
export const isDisputed = (db: Db, attemptId: string): Promise<boolean> => has(db, attemptId, 'open');

/** Whether the gateway refunds nothing of a payment for good, because of a dispute that was decided, either way. */
export const isBlockedByDispute = async (db: Db, attemptId: string): Promise<boolean> =>
  (await db
    .selectFrom('dispute')
    .select('id')
    .where('attempt_id', '=', attemptId)
    .where('status', 'in', ['won', 'lost'])
    .where('blocks_refunds', '=', true)
    .limit(1)
    .executeTakeFirst()) !== undefined;

/** Whether a dispute of a payment was decided, either way. */
export const wasDisputed = (db: Db, attemptId: string): Promise<boolean> => has(db, attemptId, 'won', 'lost');

const has = async (db: Db, attemptId: string, ...status: ('open' | 'won' | 'lost')[]): Promise<boolean> =>
  (await db
    .selectFrom('dispute')
    .select('id')
    .where('attempt_id', '=', attemptId)
    .where('status', 'in', status)
    .limit(1)
    .executeTakeFirst()) !== undefined;
