import { languageOrDefault } from '@fixpoint/contract/languages.ts';
import { type Selectable, sql } from 'kysely';
import type { Db } from '../../../ports/database.ts';
import type { Jobs } from '../../../ports/jobs.ts';
import type { Provider } from '../../../ports/payment-gateway.ts';
import type { Tables } from '../../../ports/tables.ts';
import { resolveAlert } from '../../alert/index.ts';
import {
  availableCredit,
  creditable,
  issueCreditNote,
  type LockedInvoice,
  lockInvoice,
  moneyLeft,
  recordDispute,
  uncredited,
} from '../../billing/index.ts';
import { emailTexts } from '../../text/index.ts';
import { type Attempt, attemptById } from '../store.ts';
import { fundedInvoices } from './funded-subscriptions.ts';

export type Dispute = Selectable<Tables['dispute']>;

/** Reason of a dispute that nobody raised: a longer chain took back the coins of a payment. */
export const REORGANISED = 'reorganised';

/**
 * Ends the refunds that waited for a dispute which was lost: the payer already has that money. A refund of more than the
 * dispute took stays open.
 */
export async function endWaitingRefunds(
  { jobs }: { jobs: Jobs },
  tx: Db,
  now: Date,
  dispute: Dispute,
): Promise<void> {
  if (dispute.status !== 'lost') return;
  const waiting = await tx
    .selectFrom('refund')
    .leftJoin('credit_note', 'credit_note.id', 'credit_note_id')
    .select(['refund.id', 'amount', 'version', 'credit_note_id', 'ready_at', 'refund.customer_id'])
    .where('attempt_id', '=', dispute.attempt_id)
    .where('status', '=', 'created')
    .where('tries', '=', 0)
    .orderBy('created_at')
    .orderBy('refund.id')
    // A process that is about to send one waits here, and then finds it ended.
    .forUpdate('refund')
    .execute();
  let left = dispute.withdrawn - (await takenBy(tx, dispute.id));
  for (const { id, amount, version, credit_note_id, ready_at, customer_id } of waiting) {
    if (amount > left) continue;
    left -= amount;
    const ended = { status: 'failed' as const, failure: 'disputed', dispute_id: dispute.id, ask_at: null };
    await tx
      .updateTable('refund')
      .set({ ...ended, version: version + 1, updated_at: now })
      .where('id', '=', id)
      .execute();
    await resolveAlert(tx, now, 'refund.unfinished', id);
    // The email of its credit note has waited for it.
    if (!credit_note_id || !ready_at || !customer_id) continue;
    const note = { template: 'creditNote' as const, subjectId: credit_note_id, customerId: customer_id };
    await jobs.enqueue(tx, 'sendEmail', note);
  }
}

/**
 * Issues credit notes for the sales that a lost dispute's payment has paid: its own invoice first, as far as money paid it,
 * then those that its unused days paid. The part that became credit is taken from the customer's credit, as far as there is
 * any. An unapplied payment has no note; a guest's invoice gets it on delivery (`creditEarlierLosses`).
 * @param invoice locked
 */
export async function creditLostDispute(
  { jobs }: { jobs: Jobs },
  tx: Db,
  now: Date,
  invoice: LockedInvoice,
  attempt: Attempt,
  dispute: Dispute & { provider: Provider },
): Promise<void> {
  const { customerId, currency } = invoice;
  const { id: disputeId, provider, withdrawn, credit_taken: before } = dispute;
  if (dispute.status !== 'lost' || !customerId) return;
  let left = withdrawn - (await takenBy(tx, disputeId)) - before;
  let credited = -before;
  for (const { id, most, credited: became } of await fundedInvoices(tx, invoice.id)) {
    const own = id === invoice.id;
    const paid = own ? invoice : await lockInvoice(tx, id);
    const has = own ? await creditable(tx, invoice, attempt) : Math.min(most, await unpaidByMoney(tx, id));
    const amount = Math.min(left, has);
    if (amount > 0) {
      const reason = await reasonFor(tx, id, dispute);
      await issueCreditNote(
        tx,
        now,
        { ...paid, customerId },
        { amount, reason, provider, dispute: { id: disputeId, prorated: !own } },
      );
      await jobs.enqueue(tx, 'generateDocuments', { invoiceId: id });
      left -= amount;
    }
    credited += Math.min(most, became);
  }
  const has = await availableCredit(tx, customerId, currency);
  const fromCredit = Math.max(0, Math.min(left, credited, has));
  await tx
    .updateTable('dispute')
    .set({ credit_taken: before + fromCredit })
    .where('id', '=', disputeId)
    .execute();
}

/** The part of an invoice that unused days or credit have paid, less its credit notes. Integer hundredths. */
const unpaidByMoney = async (tx: Db, id: string): Promise<number> =>
  (await uncredited(tx, [id])).total - (await moneyLeft(tx, { id }));

async function reasonFor(tx: Db, invoiceId: string, { reason }: Dispute): Promise<string> {
  const { language } = await tx
    .selectFrom('invoice')
    .select('language')
    .where('id', '=', invoiceId)
    .executeTakeFirstOrThrow();
  const texts = await emailTexts(tx, languageOrDefault(language));
  return texts[reason === REORGANISED ? 'document.reorganised' : 'document.disputed']!;
}

/**
 * Issues credit notes for disputes that were lost before a guest's order was delivered. Until then the invoice had no customer,
 * and they were written off in full.
 */
export async function creditEarlierLosses(
  deps: { jobs: Jobs },
  tx: Db,
  now: Date,
  invoiceId: string,
): Promise<void> {
  const lost = await tx
    .selectFrom('dispute')
    .innerJoin('attempt', 'attempt.id', 'dispute.attempt_id')
    .innerJoin('gateway_customer', 'gateway_customer.id', 'attempt.gateway_customer_id')
    .selectAll('dispute')
    .select('gateway_customer.provider')
    .where('attempt.invoice_id', '=', invoiceId)
    .where('dispute.status', '=', 'lost')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(selectFrom('credit_note').select('id').whereRef('credit_note.dispute_id', '=', 'dispute.id')),
      ),
    )
    .execute();
  for (const dispute of lost) {
    const invoice = await lockInvoice(tx, invoiceId);
    const attempt = (await attemptById(tx, dispute.attempt_id))!;
    const before = await lossOf(tx, dispute);
    await creditLostDispute(deps, tx, now, invoice, attempt, dispute);
    const after = await lossOf(tx, dispute);
    const { version } = await tx
      .updateTable('dispute')
      .set(eb => ({ version: eb('version', '+', 1), updated_at: now }))
      .where('id', '=', dispute.id)
      .returning('version')
      .executeTakeFirstOrThrow();
    const { customerId } = invoice;
    await recordDispute(
      tx,
      now,
      { ...dispute, version, customerId },
      {
        withheld: 0,
        fee: 0,
        credited: after.credited - before.credited,
        fromCredit: after.fromCredit - before.fromCredit,
        writtenOff: after.writtenOff - before.writtenOff,
      },
    );
  }
}

/** Splits the money of a lost dispute into credit notes and refunds, taken credit, and the amount that is written off. */
export async function lossOf(
  db: Db,
  dispute: Pick<Dispute, 'id'> | undefined,
): Promise<{ credited: number; fromCredit: number; writtenOff: number }> {
  const lost =
    dispute &&
    (await db
      .selectFrom('dispute')
      .select(['withdrawn', 'credit_taken'])
      .where('id', '=', dispute.id)
      .where('status', '=', 'lost')
      .executeTakeFirst());
  if (!lost) return { credited: 0, fromCredit: 0, writtenOff: 0 };
  const { withdrawn, credit_taken: fromCredit } = lost;
  const credited = await takenBy(db, dispute.id);
  return { credited, fromCredit, writtenOff: withdrawn - credited - fromCredit };
}

/** Money due to the payer that a dispute has taken: its credit notes, and the refunds that it ended. In hundredths. */
export async function takenBy(db: Db, disputeId: string): Promise<number> {
  const { rows } = await sql<{ taken: number }>`
    select coalesce(sum(amount), 0)::bigint as taken from (
      select total as amount from credit_note where dispute_id = ${disputeId}
      union all
      select amount from refund where dispute_id = ${disputeId}
    ) by_dispute`.execute(db);
  return rows[0]!.taken;
}

/** The numbers of the credit notes whose money a dispute took: its own, and those of the refunds that it ended. */
export async function notesOf(db: Db, disputeId: string): Promise<string[]> {
  const { rows } = await sql<{ number: string }>`
    select number from credit_note where dispute_id = ${disputeId}
    union
    select number from credit_note join refund on refund.credit_note_id = credit_note.id
    where refund.dispute_id = ${disputeId}
    order by number`.execute(db);
  return rows.map(({ number }) => number);
}
