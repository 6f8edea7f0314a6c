import { newId } from '../../../crypto/secrets.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { Db } from '../../../ports/database.ts';
import { resolveAlert } from '../../alert/index.ts';
import { endPrepaid, lockInvoice, recordOutOfBand } from '../../billing/index.ts';
import { isDisputed } from '../dispute/index.ts';
import { NotRefundable, planCode, requirePlanCode } from './refund-plan.ts';
import { refundDue, requireUnsent } from './retry-refund.ts';

/** Money that is due to its payer; the gateway holds it until it pays the operator out. */
export type Due = {
  invoiceId: string;
  /** The refund that failed; null: an unapplied payment. */
  refundId: string | null;
  provider: string | undefined;
  currency: string;
  /** Integer hundredths. */
  amount: number;
  /** Subjects of its alerts. */
  alerts: readonly string[];
};

/** Finds what is due by the subject of its alert. @throws NotRefundable */
export type FindDue = (db: Db, subject: string) => Promise<Due>;

/** Plans an out-of-band refund. Changes nothing. @throws NotRefundable */
export async function planOutOfBandRefund(db: Db, find: FindDue, subject: string, reason: string) {
  const due = await find(db, subject);
  return { ...due, code: planCode(subject, due.amount, reason) };
}

/**
 * Books an out-of-band refund that staff has paid: nothing is due any more, and no gateway sends it.
 * @param code of the plan: a second run finds nothing due, or another
 * @throws NotRefundable
 */
export const bookOutOfBandRefund = (
  { db, clock }: { db: Db; clock: Clock },
  find: FindDue,
  subject: string,
  reason: string,
  code: string,
): Promise<void> =>
  db.transaction().execute(async tx => {
    const invoice = await lockInvoice(tx, (await find(tx, subject)).invoiceId);
    // Again, now that nobody else can change it.
    const due = await planOutOfBandRefund(tx, find, subject, reason);
    requirePlanCode(due, code);
    const { refundId, provider, currency, amount, alerts } = due;
    const [id, now] = [newId('hpb'), clock.now()];
    const { id: invoice_id, customerId: customer_id } = invoice;
    await tx
      .insertInto('out_of_band_refund')
      .values({ id, invoice_id, customer_id, refund_id: refundId, currency, amount, reason, created_at: now })
      .execute();
    await recordOutOfBand(tx, now, id, { provider, currency, amount });
    if (!refundId) await endPrepaid(tx, invoice);
    await resolveAlert(tx, refundId ? 'refund.failed' : 'payment.unapplied', ...alerts);
  });

/** Finds the amount due of a refund that failed for good. */
export const failedRefund: FindDue = async (db, refundId) => {
  const due = await db
    .selectFrom('refund')
    .innerJoin('attempt', 'attempt.id', 'refund.attempt_id')
    .innerJoin('gateway_customer', 'gateway_customer.id', 'attempt.gateway_customer_id')
    .select(['refund.id as refundId', 'attempt.id as attemptId', 'invoice_id as invoiceId'])
    .select(['provider', 'refund.currency', 'refund.amount'])
    .where('refund.id', '=', refundId)
    .executeTakeFirst();
  if (!due) throw new NotRefundable(`there is no refund ${refundId}`);
  const refund = await refundDue(db, refundId);
  await requireUnsent(db, refundId, refund);
  const { attemptId, ...failed } = due;
  // If the dispute is lost, its payer gets the money by that.
  if (await isDisputed(db, attemptId)) {
    throw new NotRefundable(`the payment of ${refundId} is disputed: wait until that is decided`);
  }
  return { ...failed, alerts: refund.tries.map(({ id }) => id) };
};

/** The out-of-band refunds of a customer, for the export of their data. */
export async function outOfBandRefundsOf(db: Db, customerId: string) {
  const rows = await db
    .selectFrom('out_of_band_refund')
    .select(['currency', 'amount', 'reason', 'created_at'])
    .where('customer_id', '=', customerId)
    .orderBy('created_at')
    .execute();
  return {
    refundedOutOfBand: rows.map(({ created_at, ...back }) => ({
      ...back,
      paidBackAt: created_at.toISOString(),
    })),
  };
}

/** Erases the reasons of an ended account's out-of-band refunds; the books keep the amounts. */
export async function eraseOutOfBandRefunds(tx: Db, customerId: string): Promise<void> {
  await tx
    .updateTable('out_of_band_refund')
    .set({ reason: '' })
    .where('customer_id', '=', customerId)
    .execute();
}
