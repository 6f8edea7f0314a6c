import type { BuyerDetails } from '@fixpoint/contract/buyer-details.ts';
import { dayIn } from '@fixpoint/domain/kernel/time-zone.ts';
import { newId } from '../../crypto/secrets.ts';
import { InvalidInput } from '../../kernel/invalid-input.ts';
import type { Db } from '../../ports/database.ts';
import { readBuyerDetails } from './buyer-details.ts';
import { nextNumber } from './numbers.ts';

/** Separates the series of replacements from that of invoices. */
const PREFIX = 'RP';

/**
 * Finds out what would replace a paid invoice: the company that its customer has now, in place of the one that its valid
 * document names.
 * @param number of the invoice, or of its latest replacement
 * @throws InvalidInput when there is nothing to replace
 */
export async function planReplacement(db: Db, number: string) {
  const invoice = await db
    .selectFrom('invoice')
    .select(['id', 'customer_id', 'seller', 'buyer', 'buyer_is', 'number'])
    .where('status', '=', 'paid')
    .where('id', 'in', ({ selectFrom }) =>
      selectFrom('invoice')
        .select('id')
        .where('number', '=', number)
        .unionAll(selectFrom('invoice_replacement').select('invoice_id as id').where('number', '=', number)),
    )
    .executeTakeFirst();
  if (!invoice?.customer_id) throw new InvalidInput(`${number} is not a paid invoice of an account`);
  if (invoice.buyer_is !== 'known') throw new InvalidInput(`the buyer of ${number} is erased`);
  const latest = await latestReplacement(db, invoice.id);
  if (latest && latest.number !== number)
    throw new InvalidInput(`${number} is replaced already, by ${latest.number}: replace that one`);
  const named = latest?.company ?? invoice.buyer.company;
  const company = await readBuyerDetails(db, invoice.customer_id);
  if (!company)
    throw new InvalidInput(
      'the customer has no company: they enter it under Billing, then it can be printed',
    );
  if (JSON.stringify(printed(company)) === JSON.stringify(named && printed(named)))
    throw new InvalidInput(
      `${number} names this company already: the customer corrects it under Billing first`,
    );
  return {
    invoiceId: invoice.id,
    customerId: invoice.customer_id,
    seller: invoice.seller,
    replaces: number,
    company,
  };
}

/** What a document shows of a company, in one order. */
function printed({ recipients: _, ...shown }: BuyerDetails): unknown[] {
  return Object.entries(shown).sort();
}

/** The document that is valid in place of an invoice's receipt; undefined for the receipt itself. */
const latestReplacement = (db: Db, invoiceId: string) =>
  db
    .selectFrom('invoice_replacement')
    .select(['id', 'number', 'company'])
    .where('invoice_id', '=', invoiceId)
    .orderBy('issued_at', 'desc')
    .orderBy('serial', 'desc')
    .limit(1)
    .executeTakeFirst();

/**
 * Issues a document with a number of its own in place of a paid invoice's. No money moves, and nothing is booked.
 * @returns its number
 */
export async function replaceInvoice(tx: Db, now: Date, number: string, reason: string): Promise<string> {
  const { invoiceId } = await planReplacement(tx, number);
  // Locked, so that two at once do not replace the same document.
  await tx.selectFrom('invoice').select('id').where('id', '=', invoiceId).forUpdate().execute();
  const { replaces, customerId, seller, company } = await planReplacement(tx, number);
  const numbered_on = dayIn(seller.country, now);
  const given = await nextNumber(tx, numbered_on, PREFIX).executeTakeFirstOrThrow();
  await tx
    .insertInto('invoice_replacement')
    .values({
      id: newId('rpl'),
      invoice_id: invoiceId,
      customer_id: customerId,
      ...given,
      numbered_on,
      replaces,
      company,
      seller,
      reason,
      issued_at: now,
    })
    .execute();
  await tx.updateTable('invoice').set({ documents_due_at: now }).where('id', '=', invoiceId).execute();
  return given.number;
}

/** Stores the PDF of a replacement. @returns false where one is stored already */
export async function storeReplacement(tx: Db, now: Date, id: string, pdf: Buffer): Promise<boolean> {
  const stored = await tx
    .updateTable('invoice_replacement')
    .set({ pdf, made_at: now })
    .where('id', '=', id)
    .where('pdf', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return stored !== undefined;
}

/** A replacement that is rendered, as its email attaches it and its customer downloads it. */
export const renderedReplacement = (db: Db, id: string) =>
  db
    .selectFrom('invoice_replacement')
    .innerJoin('invoice', 'invoice.id', 'invoice_replacement.invoice_id')
    .select(['invoice_replacement.number', 'invoice_replacement.pdf', 'invoice_replacement.replaces'])
    .select(['invoice.buyer', 'invoice_replacement.company'])
    .where('invoice_replacement.id', '=', id)
    .where('pdf', 'is not', null);
