import { type Expression, type RawBuilder, sql } from 'kysely';
import { newId } from '../../../crypto/secrets.ts';
import type { Db } from '../../../ports/database.ts';
import type { PaymentDeps } from '../deps.ts';
import type { Attempt } from '../store.ts';

/**
 * Requests a refund: the row is written in the transaction that decides it, and a job sends it.
 * @param amount integer hundredths of the attempt's currency
 * @param sentAs its ID at the gateway, where staff has made it there: it is followed, and never sent
 * @returns its ID
 */
export async function requestRefund(
  { jobs }: Pick<PaymentDeps, 'jobs'>,
  tx: Db,
  now: Date,
  attempt: Pick<Attempt, 'id' | 'customer_id' | 'currency'>,
  amount: number,
  why: { reason: 'unapplied' } | { reason: 'staff' | 'customer'; credit_note_id: string },
  sentAs?: string,
): Promise<string> {
  const id = newId('ref');
  await tx
    .insertInto('refund')
    .values({
      id,
      attempt_id: attempt.id,
      customer_id: attempt.customer_id,
      currency: attempt.currency,
      amount,
      ...why,
      status: 'created',
      ...(sentAs && { tries: 1, provider_ref: sentAs }),
      created_at: now,
      updated_at: now,
      ask_at: new Date(now.getTime() + 60_000),
    })
    .execute();
  await jobs.enqueue(tx, 'followRefund', { refundId: id });
  return id;
}

/** Whether a customer has a refund that is not final, or has changed since then: a condition for another statement. */
export const refundsSince = (
  customer: Expression<string>,
  since: Date,
): RawBuilder<boolean> => sql<boolean>`exists (
  select from attempt join refund on refund.attempt_id = attempt.id
  where attempt.customer_id = ${customer}
    and (refund.status in ('created', 'pending') or refund.updated_at > ${since}))`;
