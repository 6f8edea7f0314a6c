import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { newId } from '../../crypto/secrets.ts';
import type { Db } from '../../ports/database.ts';
import { renderedReplacement, storeReplacement } from './replace-invoice.ts';

/** Names a document. `ofId`: the ID of the invoice, the credit note or the replacement. */
export type DocumentRef = { kind: 'invoice' | 'receipt' | 'creditNote' | 'replacement'; ofId: string };
/** The subject of the alert about a document that cannot be rendered. */
export const documentSubject = ({ kind, ofId }: DocumentRef): string => `${kind}:${ofId}`;

/** Names a document for a further recipient of its email in a job, which holds no address: `receipt-0`. */
export const copyOf = ({ kind }: DocumentRef, place: number): string => `${kind}-${place}`;
/** The document that such a job is about. */
export const documentRefOf = (copy: string, ofId: string): DocumentRef => ({
  kind: copy.split('-')[0] as DocumentRef['kind'],
  ofId,
});

/** Clears the due time of an invoice's documents. @returns whether they were due */
export const claimDocuments = async (tx: Db, invoiceId: string): Promise<boolean> => {
  const claimed = await tx
    .updateTable('invoice')
    .set({ documents_due_at: null })
    .where('id', '=', invoiceId)
    .where('documents_due_at', 'is not', null)
    .where('customer_id', 'is not', null)
    .where('buyer_is', '<>', 'nobody')
    .returning('id')
    .executeTakeFirst();
  return claimed !== undefined;
};

/**
 * Lets the receipt of an order go with the email that its subscription is ready: a buyer gets one email. Not where the receipt
 * was claimed before: that one goes first, on its own. Whether the buyer had an account makes no difference that a stranger
 * could see (S17).
 * @returns whether it does
 */
export const sendWithReady = async (tx: Db, orderId: string): Promise<boolean> => {
  const together = await tx
    .updateTable('invoice')
    .set({ with_ready: true })
    .where('order_id', '=', orderId)
    .where('documents_due_at', 'is not', null)
    .returning('id')
    .executeTakeFirst();
  return together !== undefined;
};

/** Makes the documents of an invoice due again. An earlier time that was set meanwhile stays. */
export const postponeDocuments = (tx: Db, invoiceId: string, until: Date) =>
  tx
    .updateTable('invoice')
    .set({ documents_due_at: sql<Date>`least(documents_due_at, ${until})` })
    .where('id', '=', invoiceId)
    .execute();

/** Stores a document. @returns false where one is stored already: a stored document never changes */
export async function storeDocument(
  tx: Db,
  now: Date,
  { kind, ofId }: DocumentRef,
  invoice: { id: string; customerId: string },
  pdf: Buffer,
): Promise<boolean> {
  if (kind === 'replacement') return storeReplacement(tx, now, ofId, pdf);
  const stored = await tx
    .insertInto('document')
    .values({
      id: newId('doc'),
      kind,
      invoice_id: invoice.id,
      customer_id: invoice.customerId,
      credit_note_id: kind === 'creditNote' ? ofId : null,
      pdf,
      sha256: createHash('sha256').update(pdf).digest('hex'),
      made_at: now,
    })
    .onConflict(conflict => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return stored !== undefined;
}

/**
 * Marks a credit note as ready for its email.
 * @returns false while its refund is not accepted or refused: the refund sends the email then
 */
export async function markNoteReady(tx: Db, now: Date, id: string): Promise<boolean> {
  await tx.updateTable('credit_note').set({ ready_at: now }).where('id', '=', id).execute();
  const waits = await tx
    .selectFrom('refund')
    .select('id')
    .where('credit_note_id', '=', id)
    .where('status', '=', 'created')
    // The refund changes its status before it reads the mark, so one of both sees the other.
    .forShare()
    .executeTakeFirst();
  return waits === undefined;
}

/** Documents with their numbers, the oldest first. */
const documents = (db: Db) =>
  db
    .selectFrom('document')
    .innerJoin('invoice', 'invoice.id', 'document.invoice_id')
    .leftJoin('credit_note', 'credit_note.id', 'document.credit_note_id')
    .select(eb => [
      'document.id',
      'document.kind',
      // An open invoice has no number, and its document keeps the reference as its name.
      eb
        .case()
        .when('document.kind', '=', 'invoice')
        .then(eb.ref('invoice.reference'))
        .else(eb.fn.coalesce('credit_note.number', 'invoice.number', 'invoice.reference'))
        .end()
        .as('number'),
    ])
    // Documents made in one moment: the invoice's own first, then its credit notes by number.
    .orderBy('document.made_at')
    .orderBy(
      ({ ref }) => ref('credit_note.number'),
      order => order.asc().nullsFirst(),
    );

/** Documents of an invoice, those that replace its receipt last. */
export async function documentsOf(db: Db, invoiceId: string) {
  const own = await documents(db).where('document.invoice_id', '=', invoiceId).execute();
  const replacements = await db
    .selectFrom('invoice_replacement')
    .select(['id', 'number', sql<'replacement'>`'replacement'`.as('kind')])
    .where('invoice_id', '=', invoiceId)
    .where('pdf', 'is not', null)
    .orderBy('serial')
    .execute();
  return [...own, ...replacements];
}

/** A document to download; undefined where there is none, or it belongs to another customer. */
export async function documentView(db: Db, customerId: string, id: string) {
  const own = await documents(db)
    .select('document.pdf')
    .where('document.id', '=', id)
    .where('document.customer_id', '=', customerId)
    .executeTakeFirst();
  if (own) return own;
  const replacement = await renderedReplacement(db, id)
    .where('invoice_replacement.customer_id', '=', customerId)
    .executeTakeFirst();
  return replacement && { ...replacement, pdf: replacement.pdf! };
}

/** A document with its number, for an email to attach; undefined where none could be rendered. */
export async function documentFor(db: Db, { kind, ofId }: DocumentRef) {
  if (kind === 'replacement') return replacementFor(db, ofId);
  return documents(db)
    .select(['document.pdf', 'invoice.buyer'])
    .where('document.kind', '=', kind)
    .where(kind === 'creditNote' ? 'document.credit_note_id' : 'document.invoice_id', '=', ofId)
    .executeTakeFirst();
}

async function replacementFor(db: Db, id: string) {
  const found = await renderedReplacement(db, id).executeTakeFirst();
  return found && { ...found, pdf: found.pdf!, buyer: { ...found.buyer, company: found.company } };
}
