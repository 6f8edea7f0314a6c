import { newId } from '../../../crypto/secrets.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { Db } from '../../../ports/database.ts';
import type { Jobs } from '../../../ports/jobs.ts';
import { resolveAlert } from '../../alert/index.ts';
import {
  endPrepaid,
  type LockedInvoice,
  lockInvoice,
  recordDueWrittenOff,
  recordOutOfBand,
} from '../../billing/index.ts';
import { isDisputed } from '../dispute/index.ts';
import { NotRefundable, planCode, requirePlanCode } from '../plan-code.ts';
import { refundDue, requireUnsent } from './retry-refund.ts';
import { resolveFailed } from './store.ts';

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

/** How staff ends what is due: `reason` for the books; `writtenOff`: nobody was paid, and nobody will be. */
export type DueEnd = { reason: string; writtenOff?: boolean };

/** Plans an out-of-band refund, or a write-off. Changes nothing. @throws NotRefundable */
export async function planOutOfBandRefund(
  db: Db,
  find: FindDue,
  subject: string,
  { reason, writtenOff = false }: DueEnd,
) {
  const due = await find(db, subject);
  return { ...due, code: planCode(subject, due.amount, reason, writtenOff) };
}

/**
 * Books an out-of-band refund that staff has paid, or a write-off: nothing is due any more, and no gateway sends it.
 * @param code of the plan: a second run finds nothing due, or another
 * @throws NotRefundable
 */
export const bookOutOfBandRefund = (
  deps: { db: Db; clock: Clock; jobs: Jobs },
  find: FindDue,
  subject: string,
  end: DueEnd,
  code: string,
): Promise<void> =>
  deps.db.transaction().execute(async tx => {
    const invoice = await lockInvoice(tx, (await find(tx, subject)).invoiceId);
    // Again, now that nobody else can change it.
    const due = await planOutOfBandRefund(tx, find, subject, end);
    requirePlanCode(due, code);
    const { refundId, alerts } = due;
    await endDue(deps, tx, invoice, due, end);
    if (!refundId) await endPrepaid(tx, invoice);
    const now = deps.clock.now();
    await (refundId ? resolveFailed(tx, now, alerts) : resolveAlert(tx, now, 'payment.unapplied', ...alerts));
  });

/** Writes and books the end of what is due of a locked invoice; who was paid is told. */
export async function endDue(
  { clock, jobs }: { clock: Clock; jobs: Jobs },
  tx: Db,
  { id: invoice_id, customerId: customer_id }: Pick<LockedInvoice, 'id' | 'customerId'>,
  { refundId, provider, currency, amount }: Pick<Due, 'refundId' | 'provider' | 'currency' | 'amount'>,
  { reason, writtenOff = false }: DueEnd,
): Promise<void> {
  const [id, now] = [newId('hpb'), clock.now()];
  const of = { id, invoice_id, customer_id, refund_id: refundId, currency, amount };
  await tx
    .insertInto('out_of_band_refund')
    .values({ ...of, reason, written_off: writtenOff, created_at: now })
    .execute();
  const money = { provider, currency, amount };
  await (writtenOff ? recordDueWrittenOff(tx, now, id, money) : recordOutOfBand(tx, now, id, money));
  if (writtenOff || !customer_id) return;
  await jobs.enqueue(tx, 'sendEmail', {
    template: 'refundedOutOfBand',
    subjectId: id,
    customerId: customer_id,
  });
}

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
    .select(['currency', 'amount', 'reason', 'created_at', 'written_off as writtenOff'])
    .where('customer_id', '=', customerId)
    .orderBy('created_at')
    .execute();
  const [paid, dropped] = [rows.filter(row => !row.writtenOff), rows.filter(row => row.writtenOff)];
  return {
    refundedOutOfBand: paid.map(({ currency, amount, reason, created_at }) => ({
      currency,
      amount,
      reason,
      paidBackAt: created_at.toISOString(),
    })),
    refundsWrittenOff: dropped.map(({ currency, amount, reason, created_at }) => ({
      currency,
      amount,
      reason,
      at: created_at.toISOString(),
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
