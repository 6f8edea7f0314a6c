import { nextPoll } from '@fixpoint/domain/payment/attempt.ts';
import type { RefundStatus } from '@fixpoint/domain/payment/refund.ts';
import type { Selectable } from 'kysely';
import type { Db } from '../../../ports/database.ts';
import type { RefundRef } from '../../../ports/payment-gateway.ts';
import type { Tables } from '../../../ports/tables.ts';
import { resolveAlert } from '../../alert/index.ts';
import type { Attempt } from '../store.ts';

/** The row of a refund. */
export type Refund = Selectable<Tables['refund']>;

/** Alerts about a refund that failed for good: one per refund, by what helps. */
const failedRefundAlerts = ['refund.failed', 'refund.refused', 'refund.gone'] as const;
export type FailedRefundAlert = (typeof failedRefundAlerts)[number];

/** Resolves the alerts of refunds whose money is not due any more, or is sent again. */
export async function resolveFailed(tx: Db, now: Date, ids: readonly string[]): Promise<void> {
  for (const kind of failedRefundAlerts) await resolveAlert(tx, now, kind, ...ids);
}

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
  key: [refund.id, ...(refund.version > 0 ? [refund.version] : []), Math.max(refund.tries, 1)].join('-'),
  paymentRef: attempt.provider_ref!,
  chargeRef: attempt.charge_ref,
  currency: refund.currency,
  amount: refund.amount,
  providerRef: refund.provider_ref,
});
