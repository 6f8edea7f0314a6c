import { formatMoney } from '@fixpoint/texts/format.ts';
import { attachedDocument } from '../attached-document.ts';
import { defineEmail } from '../define-email.ts';

/**
 * Sent with a credit note as soon as it is rendered. Not sent for the note of an order that was paid too late: the credit
 * that was to pay for it stays where it was.
 */
export const creditNote = defineEmail({
  name: 'creditNote',
  toEndedAccounts: true,
  async load({ db, subjectId }) {
    const note = await db
      .selectFrom('credit_note')
      .innerJoin('invoice', 'invoice.id', 'credit_note.invoice_id')
      .select(['credit_note.id', 'credit_note.number', 'credit_note.currency', 'credit_note.total'])
      .select(['credit_note.credited', 'credit_note.invoice_id', 'credit_note.pays_invoice_id as pays'])
      .select(['invoice.number as invoice', 'credit_note.dispute_id as dispute'])
      .where('credit_note.id', '=', subjectId)
      .executeTakeFirst();
    return note && note.pays !== note.invoice_id ? note : undefined;
  },
  content({ t, language }, { number, currency, total, invoice, dispute, credited, pays }) {
    const amount = formatMoney(total, currency, language);
    const values = { amount, invoice: invoice! };
    const creditBody = pays ? 'creditNote.prorated.body' : 'creditNote.credited.body';
    const noRefundBody = dispute ? 'creditNote.disputed.body' : credited && creditBody;
    return noRefundBody
      ? {
          subject: t('creditNote.disputed.subject', { number }),
          preview: t(noRefundBody, values),
          paragraphs: [t(noRefundBody, values)],
        }
      : {
          subject: t('creditNote.subject', { number }),
          preview: t('refunded.preview', { amount }),
          paragraphs: [t('creditNote.body', values)],
          notes: [t('refunded.note')],
        };
  },
  attachment: (context, { id, number }) =>
    attachedDocument(context, { kind: 'creditNote', ofId: id }, number),
});
