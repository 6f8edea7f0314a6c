import type { Db } from '../../ports/database.ts';

/**
 * Locks the customer before a grant or link is consumed, so that the first of two concurrent ones invalidates the second.
 * Undefined when the account has ended, or nobody logs in by its ID.
 */
export const lockOwner = (tx: Db, customerId: string): Promise<{ id: string; email: string } | undefined> =>
  tx
    .selectFrom('customer')
    .select(['id', 'email'])
    .where('id', '=', customerId)
    .where('status', '=', 'active')
    .where('founder_id', 'is', null)
    .forUpdate()
    .executeTakeFirst();
