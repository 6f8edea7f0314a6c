import { sql } from 'kysely';
import type { Db } from '../../ports/database.ts';

type Entry = { account: 'cash' | 'revenue' | 'vat' | 'refundsDue'; amount: number };

/** Writes a transaction whose entries sum to zero. The same `txn` twice is the same transaction. */
async function record(tx: Db, txn: string, currency: string, now: Date, entries: Entry[]): Promise<void> {
  if (entries.reduce((sum, entry) => sum + entry.amount, 0) !== 0) throw new Error('Ledger does not balance');
  await tx
    .insertInto('ledger_entry')
    .values(
      entries
        .filter(entry => entry.amount !== 0)
        .map(entry => ({ txn, currency, created_at: now, ...entry })),
    )
    .onConflict(conflict => conflict.doNothing())
    .execute();
}

export const recordSale = (
  tx: Db,
  now: Date,
  sale: { attemptId: string; currency: string; net: number; vat: number },
): Promise<void> =>
  record(tx, `sale:${sale.attemptId}`, sale.currency, now, [
    { account: 'cash', amount: sale.net + sale.vat },
    { account: 'revenue', amount: -sale.net },
    { account: 'vat', amount: -sale.vat },
  ]);

/** Money that came for an invoice that was paid already, or is void: it is owed to the customer. */
export const recordExcess = (
  tx: Db,
  now: Date,
  excess: { attemptId: string; currency: string; amount: number },
): Promise<void> =>
  record(tx, `excess:${excess.attemptId}`, excess.currency, now, [
    { account: 'cash', amount: excess.amount },
    { account: 'refundsDue', amount: -excess.amount },
  ]);

/** Account balance per currency; for reconciliation. */
export const balance = async (db: Db, account: Entry['account']): Promise<Record<string, number>> =>
  Object.fromEntries(
    (
      await db
        .selectFrom('ledger_entry')
        .select(['currency', sql<number>`sum(amount)::bigint`.as('amount')])
        .where('account', '=', account)
        .groupBy('currency')
        .execute()
    ).map(row => [row.currency, row.amount]),
  );
