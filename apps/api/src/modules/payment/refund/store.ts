import { nextPoll } from '@fixpoint/domain/payment/attempt.ts';
import type { RefundStatus } from '@fixpoint/domain/payment/refund.ts';
import type { Selectable } from 'kysely';
import type { Db } from '../../../ports/database.ts';
import type { RefundRef } from '../../../ports/payment-gateway.ts';
import type { Tables } from '../../../ports/tables.ts';
import type { Attempt } from '../store.ts';

/** The row of a refund. */
export type Refund = Selectable<Tables['refund']>;

/** The refund of an ID. */
export const refundById = (db: Db, id: string): Promise<Refund | undefined> =>
  db.selectFrom('refund').selectAll().where('id', '=', id).executeTakeFirst();

/** Changes the status of a refund as compare-and-set. @throws when it has changed since it was read */
export async function transitionRefund(
  tx: Db,
  now: Date,
  refund: Refund,
  status: RefundStatus,
  change: Partial<Pick<Refund, 'provider_ref' | 'failure'>> = {},
): Promise<void> {
  await tx
    .updateTable('refund')
    .set({
      ...change,
      status,
      version: refund.version + 1,
      updated_at: now,
      ask_at: status === 'failed' ? null : nextPoll(now, now),
    })
    .where('id', '=', refund.id)
    .where('version', '=', refund.version)
    .returning('id')
    .executeTakeFirstOrThrow();
}

/** A refund as its gateway needs it. */
export const refundRef = (refund: Refund, attempt: Attempt): RefundRef => ({
  id: refund.id,
  key: `${refund.id}-${Math.max(refund.tries, 1)}`,
  paymentRef: attempt.provider_ref!,
  chargeRef: attempt.charge_ref,
  currency: refund.currency,
  amount: refund.amount,
  providerRef: refund.provider_ref,
});
