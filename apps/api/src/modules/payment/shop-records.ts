import type { Db } from '../../ports/database.ts';

/** Up to this many of each, the newest. */
const MOST = 500;

/**
 * The shop's state of payments and refunds, by its own ids: the page of the sandbox shows it beside the gateway's. Amounts
 * in integer hundredths.
 */
export async function shopRecords(db: Db): Promise<Record<string, string>> {
  const attempts = await db
    .selectFrom('attempt')
    .select(['id', 'status', 'currency', 'received'])
    .orderBy('created_at', 'desc')
    .limit(MOST)
    .execute();
  const refunds = await db
    .selectFrom('refund')
    .select(['id', 'status', 'currency', 'amount'])
    .orderBy('created_at', 'desc')
    .limit(MOST)
    .execute();
  return Object.fromEntries([
    ...attempts.map(({ id, status, currency, received }) => [
      id,
      `${status}, ${currency} ${received} received`,
    ]),
    ...refunds.map(({ id, status, currency, amount }) => [id, `${status}, ${currency} ${amount}`]),
  ]);
}
