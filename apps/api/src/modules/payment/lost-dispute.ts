import { isLanguage } from '@fixpoint/contract/languages.ts';
import { type Selectable, sql } from 'kysely';
import type { Db } from '../../ports/database.ts';
import type { Jobs } from '../../ports/jobs.ts';
import type { Provider } from '../../ports/payment-gateway.ts';
import type { Tables } from '../../ports/tables.ts';
import { mend } from '../attention/index.ts';
import {
  creditable,
  issueCreditNote,
  type LockedInvoice,
  lockInvoice,
  recordDispute,
} from '../billing/index.ts';
import { mailTexts } from '../text/index.ts';
import { type Attempt, attemptById } from './store.ts';

export type Dispute = Selectable<Tables['dispute']>;

/**
 * What was to go back of the payment, and waited for the dispute's end, went back by the dispute when that was lost: its
 * refunds end unsent, or the payer would have it twice. One of more than the dispute took is left to its provider.
 */
export async function endWaiting(tx: Db, now: Date, dispute: Dispute): Promise<void> {
  if (dispute.status !== 'lost') return;
  const waiting = await tx
    .selectFrom('refund')
    .select(['id', 'amount', 'version'])
    .where('attempt_id', '=', dispute.attempt_id)
    .where('status', '=', 'created')
    .where('tries', '=', 0)
    .orderBy('created_at')
    .orderBy('id')
    // Whoever is about to send it waits here, and finds it ended.
    .forUpdate()
    .execute();
  let left = dispute.withdrawn - (await takenBy(tx, dispute.id));
  for (const { id, amount, version } of waiting) {
    if (amount > left) continue;
    left -= amount;
    const ended = { status: 'failed' as const, failure: 'disputed', dispute_id: dispute.id, ask_at: null };
    await tx
      .updateTable('refund')
      .set({ ...ended, version: version + 1, updated_at: now })
      .where('id', '=', id)
      .execute();
    await mend(tx, 'refund.unfinished', id);
  }
}

/**
 * Writes the credit note of a dispute that was lost, once: the payer has his money, so that much of the sale is taken back.
 * What the invoice never asked for has none, and a guest's has it when his order is delivered (`creditLostBefore`).
 * @param invoice locked
 */
export async function creditLost(
  { jobs }: { jobs: Jobs },
  tx: Db,
  now: Date,
  invoice: LockedInvoice,
  attempt: Attempt,
  dispute: Dispute & { provider: Provider },
): Promise<void> {
  const { customerId } = invoice;
  const left = dispute.withdrawn - (await takenBy(tx, dispute.id));
  const amount = Math.min(left, await creditable(tx, invoice, attempt));
  if (dispute.status !== 'lost' || dispute.credit_note_id || !customerId || amount <= 0) return;
  const { language } = await tx
    .selectFrom('invoice')
    .select('language')
    .where('id', '=', invoice.id)
    .executeTakeFirstOrThrow();
  const texts = await mailTexts(tx, isLanguage(language) ? language : 'en');
  const { provider } = dispute;
  const note = await issueCreditNote(
    tx,
    now,
    { ...invoice, customerId },
    { amount, reason: texts['paper.disputed']!, provider },
  );
  await tx.updateTable('dispute').set({ credit_note_id: note.id }).where('id', '=', dispute.id).execute();
  await jobs.enqueue(tx, 'writePapers', { invoiceId: invoice.id });
}

/**
 * The order of a guest is delivered, and his invoice has a customer from now on: what was lost before that was written off
 * in full, and is credited by now.
 */
export async function creditLostBefore(
  deps: { jobs: Jobs },
  tx: Db,
  now: Date,
  invoiceId: string,
): Promise<void> {
  const lost = await tx
    .selectFrom('dispute')
    .innerJoin('attempt', 'attempt.id', 'dispute.attempt_id')
    .innerJoin('payer', 'payer.id', 'attempt.payer_id')
    .selectAll('dispute')
    .select('payer.provider')
    .where('attempt.invoice_id', '=', invoiceId)
    .where('dispute.status', '=', 'lost')
    .where('dispute.credit_note_id', 'is', null)
    .execute();
  for (const dispute of lost) {
    const invoice = await lockInvoice(tx, invoiceId);
    const attempt = (await attemptById(tx, dispute.attempt_id))!;
    const before = await lossOf(tx, dispute);
    await creditLost(deps, tx, now, invoice, attempt, dispute);
    const { credited, writtenOff } = await lossOf(tx, dispute);
    const { version } = await tx
      .updateTable('dispute')
      .set(eb => ({ version: eb('version', '+', 1), updated_at: now }))
      .where('id', '=', dispute.id)
      .returning('version')
      .executeTakeFirstOrThrow();
    const moved = { credited: credited - before.credited, writtenOff: writtenOff - before.writtenOff };
    await recordDispute(tx, now, { ...dispute, version }, { held: 0, fee: 0, ...moved });
  }
}

/** What of a disputed payment is gone: what was due to its payer, and what is written off. Nothing until it is lost. */
export async function lossOf(
  db: Db,
  dispute: Pick<Dispute, 'id'> | undefined,
): Promise<{ credited: number; writtenOff: number }> {
  const lost =
    dispute &&
    (await db
      .selectFrom('dispute')
      .select('withdrawn')
      .where('id', '=', dispute.id)
      .where('status', '=', 'lost')
      .executeTakeFirst());
  if (!lost) return { credited: 0, writtenOff: 0 };
  const credited = await takenBy(db, dispute.id);
  return { credited, writtenOff: lost.withdrawn - credited };
}

/** What was due to the payer of a disputed payment and is his by the dispute, if that is lost: its note, and ended refunds. */
export async function takenBy(db: Db, disputeId: string): Promise<number> {
  const { taken } = await db
    .selectFrom('dispute')
    .leftJoin('credit_note', 'credit_note.id', 'credit_note_id')
    .select(
      sql<number>`coalesce(credit_note.total, 0) + coalesce(
        (select sum(amount) from refund where refund.dispute_id = dispute.id), 0)::bigint`.as('taken'),
    )
    .where('dispute.id', '=', disputeId)
    .executeTakeFirstOrThrow();
  return taken;
}
