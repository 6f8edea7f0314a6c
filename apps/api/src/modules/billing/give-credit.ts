import type { Db } from '../../ports/database.ts';
import { issueCreditNote, uncredited } from './credit-notes.ts';
import { lockInvoice } from './invoices.ts';
import { recordNoteCredited } from './ledger.ts';

/**
 * Credits an amount of paid invoices by credit notes: to the customer's credit, or, with `pays`, as proration credit of
 * another invoice.
 * @param of `amount`: gross; 0 does nothing. `pays`: the invoice that the amount pays
 * @returns the numbers of the credit notes
 * @throws when the invoices have less than that left
 */
export async function giveCredit(
  tx: Db,
  now: Date,
  of: { customerId: string; invoices: readonly string[]; amount: number; reason: string; pays?: string },
): Promise<string[]> {
  const { customerId, reason, pays } = of;
  const notes: string[] = [];
  let missing = of.amount;
  for (const id of of.invoices) {
    if (missing === 0) break;
    const invoice = await lockInvoice(tx, id);
    const amount = Math.min(missing, (await uncredited(tx, [id])).total);
    if (amount === 0) continue;
    const note = await issueCreditNote(
      tx,
      now,
      { ...invoice, customerId },
      { amount, reason, credited: true, pays },
    );
    if (!pays) await recordNoteCredited(tx, now, note.id, { customerId, currency: invoice.currency, amount });
    notes.push(note.number);
    missing -= amount;
  }
  if (missing > 0) throw new Error(`Invoices ${of.invoices.join(', ')} lack ${missing} to be credited`);
  return notes;
}
