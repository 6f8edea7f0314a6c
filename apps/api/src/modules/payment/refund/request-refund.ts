import { type Expression, type RawBuilder, sql } from 'kysely';
import { newId } from '../../../crypto/secrets.ts';
import type { Db } from '../../../ports/database.ts';
import type { PaymentDeps } from '../deps.ts';
import type { Attempt } from '../store.ts';

/**
 * Money is to go back: written in the transaction that owes it, done by a job.
 * @param made its name at the provider, where staff has given it back there: it is asked about, and never sent
 */
export async function requestRefund(
  { jobs }: Pick<PaymentDeps, 'jobs'>,
  tx: Db,
  now: Date,
  attempt: Pick<Attempt, 'id' | 'customer_id' | 'currency'>,
  amount: number,
  why: { reason: 'unapplied' } | { reason: 'staff' | 'customer'; credit_note_id: string },
  made?: string,
): Promise<void> {
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
      ...(made && { tries: 1, provider_ref: made }),
      created_at: now,
      updated_at: now,
      ask_at: new Date(now.getTime() + 60_000),
    })
    .execute();
  await jobs.enqueue(tx, 'followRefund', { refundId: id });
}

/** Whether money goes back to a customer or has since then, which he is written about: a condition of another's statement. */
export const refundsSince = (
  customer: Expression<string>,
  since: Date,
): RawBuilder<boolean> => sql<boolean>`exists (
  select from attempt join refund on refund.attempt_id = attempt.id
  where attempt.customer_id = ${customer}
    and (refund.status in ('created', 'pending') or refund.updated_at > ${since}))`;
