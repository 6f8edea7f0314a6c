import { isLanguage } from '@fixpoint/contract/languages.ts';
import type { Selectable } from 'kysely';
import type { Db } from '../../ports/database.ts';
import type { Jobs } from '../../ports/jobs.ts';
import type { Provider } from '../../ports/payment-gateway.ts';
import type { Tables } from '../../ports/tables.ts';
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
  const amount = Math.min(dispute.withdrawn, await creditable(tx, invoice, attempt));
  if (dispute.status !== 'lost' || dispute.credit_note_id || !customerId || amount === 0) return;
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

/** What of a disputed payment is gone: what a credit note says of it, and what is written off. Nothing until it is lost. */
export async function lossOf(
  db: Db,
  dispute: Pick<Dispute, 'id'> | undefined,
): Promise<{ credited: number; writtenOff: number }> {
  const lost =
    dispute &&
    (await db
      .selectFrom('dispute')
      .leftJoin('credit_note', 'credit_note.id', 'credit_note_id')
      .select(['withdrawn', 'credit_note.total'])
      .where('dispute.id', '=', dispute.id)
      .where('status', '=', 'lost')
      .executeTakeFirst());
  if (!lost) return { credited: 0, writtenOff: 0 };
  const credited = lost.total ?? 0;
  return { credited, writtenOff: lost.withdrawn - credited };
}
