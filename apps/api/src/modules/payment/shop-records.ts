import type { Db } from '../../ports/database.ts';

/** So many of each, the newest. */
const MOST = 500;

/**
 * What the shop holds to be true of payments and refunds, by its own names for them: what stands beside a stand-in
 * provider's belief. Amounts in integer hundredths.
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
