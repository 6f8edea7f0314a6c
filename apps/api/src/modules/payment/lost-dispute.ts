import { isLanguage } from '@fixpoint/contract/languages.ts';
import type { Selectable } from 'kysely';
import type { Db } from '../../ports/database.ts';
import type { Jobs } from '../../ports/jobs.ts';
import type { Provider } from '../../ports/payment-gateway.ts';
import type { Tables } from '../../ports/tables.ts';
import { creditable, issueCreditNote, type LockedInvoice } from '../billing/index.ts';
import { mailTexts } from '../text/index.ts';
import type { Attempt } from './store.ts';

export type Dispute = Selectable<Tables['dispute']>;

/**
 * Writes the credit note of a dispute that was lost, once: the payer has his money, so that much of the sale is taken back.
 * What the invoice never asked for, or a guest's whose order was not delivered, has none.
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
