import { formatMoney } from '@fixpoint/texts/format.ts';
import { sql } from 'kysely';
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
      .leftJoin('refund', join =>
        join
          .onRef('refund.credit_note_id', '=', 'credit_note.id')
          .on(sql<boolean>`not exists (select from refund later
            where later.credit_note_id = credit_note.id and later.created_at > refund.created_at)`),
      )
      .leftJoin('dispute', join =>
        join.on(sql<boolean>`dispute.id = coalesce(credit_note.dispute_id, refund.dispute_id)`),
      )
      .select(['invoice.number as invoice', 'dispute.reason as dispute', 'refund.status as refund'])
      // What was refunded at the gateway itself is announced once staff has booked that.
      .select(
        sql<boolean>`exists (select from open_alert where kind = 'refund.gone' and subject = refund.id)`.as(
          'isGone',
        ),
      )
      .where('credit_note.id', '=', subjectId)
      .executeTakeFirst();
    return note && note.pays !== note.invoice_id && !note.isGone ? note : undefined;
  },
  content({ t, language }, { number, currency, total, invoice, dispute, credited, pays, refund }) {
    const amount = formatMoney(total, currency, language);
    const values = { amount, invoice: invoice! };
    const creditBody = pays ? 'creditNote.prorated.body' : 'creditNote.credited.body';
    // One that was not accepted is not promised: an email of its own follows.
    const isSent = refund === 'pending' || refund === 'succeeded';
    const lostBody = dispute === 'reorganised' ? 'creditNote.reorganised.body' : 'creditNote.disputed.body';
    const noRefundBody = dispute ? lostBody : credited ? creditBody : !isSent && 'creditNote.separate.body';
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
