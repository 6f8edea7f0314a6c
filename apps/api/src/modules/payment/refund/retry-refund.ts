import { type Selectable, sql } from 'kysely';
import type { Clock } from '../../../ports/clock.ts';
import type { Db } from '../../../ports/database.ts';
import type { Jobs } from '../../../ports/jobs.ts';
import type { Tables } from '../../../ports/tables.ts';
import { lockInvoice } from '../../billing/index.ts';
import { NotRefundable } from '../plan-code.ts';
import { attemptById } from '../store.ts';
import { paymentOf } from './paying-payment.ts';
import { requestRefund } from './request-refund.ts';
import { refundById, resolveFailed } from './store.ts';

/** Money that is due to its payer, and its refunds so far: of a credit note, or of an unapplied payment, which has none. */
export type RefundDue = {
  invoiceId: string;
  tries: readonly { id: string; status: string; dispute_id: string | null; ended: boolean | null }[];
} & ({ note: Note } | { note?: never; attemptId: string; amount: number });
type Note = Pick<
  Selectable<Tables['credit_note']>,
  'id' | 'invoice_id' | 'total' | 'dispute_id' | 'credited' | 'pays_invoice_id'
>;

/**
 * Retries a refund that failed for good, or makes the first one after a dispute was won.
 * @param which number of a credit note, or ID of a refund
 * @throws NotRefundable when the money is on its way or has arrived, or was never to be sent
 */
export const retryRefund = (
  { db, clock, jobs }: { db: Db; clock: Clock; jobs: Jobs },
  which: string,
): Promise<void> =>
  db.transaction().execute(async tx => {
    await lockInvoice(tx, (await refundDue(tx, which)).invoiceId);
    // Again, now that nobody else can change it.
    const due = await refundDue(tx, which);
    await requireUnsent(tx, which, due);
    const { attempt, amount, why } = await sending(tx, due);
    await requestRefund({ jobs }, tx, clock.now(), attempt, amount, why);
    await resolveFailed(
      tx,
      clock.now(),
      due.tries.map(({ id }) => id),
    );
  });

/** What {@link retryRefund} would send. @throws NotRefundable where that refuses */
export async function planRetry(db: Db, which: string): Promise<{ currency: string; amount: number }> {
  const due = await refundDue(db, which);
  await requireUnsent(db, which, due);
  const { attempt, amount } = await sending(db, due);
  return { currency: attempt.currency, amount };
}

/** @throws NotRefundable when there is neither such a credit note nor such a refund */
export async function refundDue(db: Db, which: string): Promise<RefundDue> {
  const refund = await refundById(db, which);
  const note = await db
    .selectFrom('credit_note')
    .select(['id', 'invoice_id', 'total', 'dispute_id', 'credited', 'pays_invoice_id'])
    .where(refund ? 'id' : 'number', '=', refund ? (refund.credit_note_id ?? '') : which)
    .executeTakeFirst();
  const tries = db
    .selectFrom('refund')
    .leftJoin('out_of_band_refund', 'out_of_band_refund.refund_id', 'refund.id')
    .select(['refund.id', 'status', 'dispute_id', 'written_off as ended']);
  if (note) {
    const { invoice_id: invoiceId } = note;
    return { invoiceId, note, tries: await tries.where('credit_note_id', '=', note.id).execute() };
  }
  if (!refund) throw new NotRefundable(`there is no credit note or refund ${which}`);
  const { attempt_id: attemptId, amount } = refund;
  const { invoice_id: invoiceId } = (await attemptById(db, attemptId))!;
  const ofUnapplied = tries.where('attempt_id', '=', attemptId).where('refund.reason', '=', 'unapplied');
  return { invoiceId, attemptId, amount, tries: await ofUnapplied.execute() };
}

/** @throws NotRefundable with the place of the money unless it is still in the shop: it must not be refunded twice */
export async function requireUnsent(db: Db, which: string, due: RefundDue): Promise<void> {
  const why = await whereMoneyIs(db, due);
  if (why) throw new NotRefundable(`the money of ${which} ${why}`);
}

/** Says where the money is; undefined: still in the shop. */
export async function whereMoneyIs(db: Db, { note, tries }: RefundDue): Promise<string | undefined> {
  if (note?.credited) return note.pays_invoice_id ? 'pays another invoice' : 'is credit of its customer';
  const by = [...(note ? [note] : []), ...tries].flatMap(({ dispute_id }) => dispute_id ?? []);
  const dispute = await db
    .selectFrom('dispute')
    .select(['provider_ref', 'status'])
    .where('status', '<>', 'won')
    .where('id', '=', sql<string>`any(${by})`)
    .executeTakeFirst();
  if (dispute?.status === 'lost') return `went back by the lost dispute ${dispute.provider_ref}`;
  if (dispute) return `may go by the dispute ${dispute.provider_ref}, which is not won`;
  const ended = tries.find(({ ended }) => ended !== null)?.ended;
  if (ended !== undefined) return ended ? 'was written off' : 'was refunded out of band';
  if (tries.some(({ status }) => status !== 'failed')) return 'is on its way or has arrived';
  return tries.length === 0 && !note?.dispute_id ? 'was never to be sent' : undefined;
}

/** The payment that is refunded, how much of it, and why. */
async function sending(tx: Db, due: RefundDue) {
  if (!due.note) {
    const attempt = (await attemptById(tx, due.attemptId))!;
    return { attempt, amount: due.amount, why: { reason: 'unapplied' } as const };
  }
  const { id: credit_note_id, invoice_id, dispute_id, total: amount } = due.note;
  const attempt = await (dispute_id ? disputedPayment(tx, dispute_id) : paymentOf(tx, invoice_id));
  return { attempt, amount, why: { reason: 'staff', credit_note_id } as const };
}

/** A won dispute's money is back with its own payment, which may have paid another invoice's days. */
const disputedPayment = (db: Db, disputeId: string) =>
  db
    .selectFrom('attempt')
    .innerJoin('dispute', 'dispute.attempt_id', 'attempt.id')
    .select(['attempt.id', 'attempt.customer_id', 'attempt.currency'])
    .where('dispute.id', '=', disputeId)
    .executeTakeFirstOrThrow();
