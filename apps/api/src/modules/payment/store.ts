import { type AttemptStatus, openAttempt } from '@fixpoint/domain/payment/attempt.ts';
import type { Selectable } from 'kysely';
import type { Db } from '../../ports/database.ts';
import type { Tables } from '../../ports/tables.ts';
import { newId } from '../../secrets.ts';

export type Attempt = Selectable<Tables['attempt']>;

export const attemptById = (db: Db, id: string): Promise<Attempt | undefined> =>
  db.selectFrom('attempt').selectAll().where('id', '=', id).executeTakeFirst();

export const attemptsOf = (db: Db, invoiceId: string): Promise<Attempt[]> =>
  db.selectFrom('attempt').selectAll().where('invoice_id', '=', invoiceId).orderBy('attempt_no').execute();

/** The open attempt of an invoice, or a new one. The invoice must be locked. */
export async function openOrNewAttempt(
  tx: Db,
  now: Date,
  invoice: { id: string; currency: string; total: number },
): Promise<Attempt> {
  const attempts = await attemptsOf(tx, invoice.id);
  const open = attempts.find(attempt => openAttempt.includes(attempt.status));
  if (open) return open;
  return tx
    .insertInto('attempt')
    .values({
      id: newId('att'),
      invoice_id: invoice.id,
      attempt_no: attempts.length + 1,
      provider: 'stripe',
      // The provider's customer is the same for all attempts of an order.
      provider_customer: attempts.at(-1)?.provider_customer ?? null,
      provider_ref: null,
      status: 'created',
      currency: invoice.currency,
      amount: invoice.total,
      failure: null,
      created_at: now,
      updated_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function updateAttempt(
  db: Db,
  now: Date,
  id: string,
  change: Partial<{
    status: AttemptStatus;
    failure: string | null;
    excess: boolean;
    provider_customer: string;
    provider_ref: string;
  }>,
): Promise<void> {
  await db
    .updateTable('attempt')
    .set({ ...change, updated_at: now })
    .where('id', '=', id)
    .execute();
}
