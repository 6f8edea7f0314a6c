import type { Totals } from '@fixpoint/domain/billing/invoice.ts';
import { newId } from '../../../crypto/secrets.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { Db } from '../../../ports/database.ts';
import type { Jobs } from '../../../ports/jobs.ts';
import {
  creditable,
  giveCredit,
  issueCreditNote,
  type LockedInvoice,
  lockInvoice,
  uncredited,
} from '../../billing/index.ts';
import { NotRefundable, planCode, requirePlanCode } from '../plan-code.ts';
import { endDue } from './out-of-band-refund.ts';
import { paidBy, paymentOf } from './paying-payment.ts';
import { requireHeld, requireSendable } from './refundable.ts';
import { requestRefund } from './request-refund.ts';

type Deps = { db: Db; clock: Clock; jobs: Jobs };

/** Plan of a refund. Amounts in integer hundredths. */
export type RefundInvoice = {
  number: string;
  currency: string;
  paid: number;
  /** The most that can be refunded: paid, less credit notes. */
  left: number;
  amount: number;
  /** Identifies this plan: one that has changed since has another code. */
  code: string;
};

/**
 * A request of staff. `amount`: gross; undefined: all that is left. `asCredit`: it becomes the customer's credit. `byHand`: staff
 * has paid it from the operator's own bank.
 */
export type RefundRequest = {
  reason: string;
  amount?: number | undefined;
  asCredit?: boolean;
  byHand?: boolean;
};

/**
 * Plans a refund. Changes nothing.
 * @throws NotRefundable, also where the money is gone or its gateway refuses to send it
 */
export const planRefund = async (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  number: string,
  asked: RefundRequest,
): Promise<RefundInvoice> => (await planOf(db, clock.now(), number, asked)).plan;

/**
 * Refunds a paid invoice: credit note, ledger entries and the refund, in one transaction; email and gateway follow. As credit
 * no money moves: the customer's next invoice uses it first.
 * @param code of the plan: a second run, or one of an older plan, finds another and does nothing
 * @throws NotRefundable
 */
export const refundInvoice = (
  { db, clock, jobs }: Deps,
  number: string,
  asked: RefundRequest,
  code: string,
): Promise<{ creditNote: string; plan: RefundInvoice }> =>
  db.transaction().execute(async tx => {
    const now = clock.now();
    const known = await planOf(tx, now, number, asked);
    const invoice = await lockInvoice(tx, known.invoiceId);
    // Again, now that nobody else can change it.
    const { plan, customerId } = await planOf(tx, now, number, asked);
    requirePlanCode(plan, code);
    const { reason, asCredit, byHand } = asked;
    const what = { amount: plan.amount, reason };
    if (byHand) {
      const creditNote = await refundByHand({ clock, jobs }, tx, { ...invoice, customerId }, what);
      return { creditNote, plan };
    }
    if (!asCredit) {
      const staff = { ...what, by: 'staff' as const };
      return { creditNote: await refundMoney({ jobs }, tx, now, { ...invoice, customerId }, staff), plan };
    }
    const [creditNote] = await giveCredit(tx, now, { ...what, customerId, invoices: [invoice.id] });
    await jobs.enqueue(tx, 'generateDocuments', { invoiceId: invoice.id });
    return { creditNote: creditNote!, plan };
  });

/**
 * Refunds money of a paid invoice, which must be locked, by its payment method: credit note and refund; email and gateway
 * follow.
 * @param of `amount`: gross, at most `moneyLeft`; `by`: who requested it; `sentAs`: as for `requestRefund`
 * @returns the number of the credit note
 */
export async function refundMoney(
  { jobs }: Pick<Deps, 'jobs'>,
  tx: Db,
  now: Date,
  invoice: LockedInvoice & { customerId: string },
  {
    amount,
    reason,
    by,
    sentAs,
  }: { amount: number; reason: string; by: 'staff' | 'customer'; sentAs?: string },
): Promise<string> {
  const attempt = await paymentOf(tx, invoice.id);
  const note = await issueCreditNote(tx, now, invoice, { amount, reason, provider: attempt.provider });
  await requestRefund({ jobs }, tx, now, attempt, amount, { reason: by, credit_note_id: note.id }, sentAs);
  await jobs.enqueue(tx, 'generateDocuments', { invoiceId: invoice.id });
  return note.number;
}

/** Books a refund of a paid invoice, which must be locked, that staff has paid: its gateway is never asked to send it. */
async function refundByHand(
  { clock, jobs }: Pick<Deps, 'clock' | 'jobs'>,
  tx: Db,
  invoice: LockedInvoice & { customerId: string },
  { amount, reason }: { amount: number; reason: string },
): Promise<string> {
  const now = clock.now();
  const { id, currency, provider, ...attempt } = await paymentOf(tx, invoice.id);
  const note = await issueCreditNote(tx, now, invoice, { amount, reason, provider });
  const refundId = newId('ref');
  const row = { id: refundId, attempt_id: id, customer_id: attempt.customer_id, currency, amount };
  await tx
    .insertInto('refund')
    .values({
      ...row,
      reason: 'staff',
      credit_note_id: note.id,
      status: 'failed',
      failure: 'outOfBand',
      created_at: now,
      updated_at: now,
    })
    .execute();
  const due = { refundId, provider, currency, amount };
  await endDue({ clock, jobs }, tx, invoice, due, { reason });
  await jobs.enqueue(tx, 'generateDocuments', { invoiceId: invoice.id });
  return note.number;
}

/** Locks an account, before the invoice, until the end of the transaction. @throws NotRefundable when it has ended */
async function refuseEnded(tx: Db, customerId: string): Promise<void> {
  const active = await tx
    .selectFrom('customer')
    .select('id')
    .where('id', '=', customerId)
    .where('status', '=', 'active')
    .forShare()
    .executeTakeFirst();
  if (!active)
    throw new NotRefundable('the account has ended and cannot use credit: refund the money instead');
}

async function planOf(db: Db, now: Date, number: string, asked: RefundRequest) {
  const { reason, amount: wanted, asCredit = false, byHand = false } = asked;
  const invoice = await db
    .selectFrom('invoice')
    .select(['id', 'customer_id as customerId', 'currency', 'net', 'vat', 'total'])
    .where('number', '=', number)
    .executeTakeFirst();
  if (!invoice) throw new NotRefundable(`there is no paid invoice ${number}`);
  const { customerId, currency } = invoice;
  if (!customerId) throw new NotRefundable(`${number} is not delivered yet: try again in a minute`);
  if (asCredit) await refuseEnded(db, customerId);
  const { paid, left } = asCredit ? await leftAsCredit(db, invoice) : await leftAsMoney(db, invoice);
  const amount = wanted ?? left;
  if (left === 0) throw new NotRefundable(`all of ${number} was refunded`);
  if (amount > left) throw new NotRefundable(`more than is left of ${number}`);
  await requireRefundable(db, now, { ...invoice, number }, { asCredit, byHand });
  const code = planCode(invoice.id, left, amount, reason, asCredit, ...(byHand ? ['byHand'] : []));
  return { plan: { number, currency, paid, left, amount, code }, invoiceId: invoice.id, customerId };
}

/** @throws NotRefundable where the money is gone, is disputed, or its gateway refuses to send it */
async function requireRefundable(
  db: Db,
  now: Date,
  { id, number }: { id: string; number: string },
  { asCredit, byHand }: { asCredit: boolean; byHand: boolean },
): Promise<void> {
  // What credit alone has paid is no money of a gateway.
  const attempt = asCredit ? await paidBy(db, id).executeTakeFirst() : await paymentOf(db, id);
  if (!attempt) return;
  await requireHeld(db, number, attempt);
  if (!asCredit && !byHand) await requireSendable(db, now, attempt);
}

async function leftAsMoney(db: Db, invoice: Totals & { id: string }) {
  const attempt = await paymentOf(db, invoice.id);
  return { paid: attempt.received - attempt.unapplied, left: await creditable(db, invoice, attempt) };
}

/** As credit, the part that credit paid can be returned as well. */
const leftAsCredit = async (db: Db, invoice: Totals & { id: string }) => ({
  paid: invoice.total,
  left: (await uncredited(db, [invoice.id])).total,
});
