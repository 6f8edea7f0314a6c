import { formatMoney } from '@fixpoint/texts/format.ts';
import { sql } from 'kysely';
import type { EmailContext } from './define-email.ts';
import type { EmailContent } from './email-content.ts';

export type RefundFacts = NonNullable<Awaited<ReturnType<typeof refundFacts>>>;

/** Loads a refund's amount and reason, and the invoice whose credit note it pays, or whose credit it returns, if any. */
export async function refundFacts({ db, language, subjectId }: EmailContext) {
  const refund = await db
    .selectFrom('refund')
    .leftJoin('credit_note', 'credit_note.id', 'refund.credit_note_id')
    .leftJoin('attempt', join =>
      join
        .onRef('attempt.id', '=', 'refund.attempt_id')
        .on(
          sql<boolean>`exists (select from ledger_entry where txn in ('notes-ended:' || attempt.id, 'credit-ended:' || attempt.id))`,
        ),
    )
    .leftJoin('invoice', join =>
      join.on(sql<boolean>`invoice.id = coalesce(credit_note.invoice_id, attempt.invoice_id)`),
    )
    .select(['refund.currency', 'refund.amount', 'refund.reason', 'invoice.number as invoice'])
    .where('refund.id', '=', subjectId)
    .executeTakeFirst();
  return refund && { ...refund, amount: formatMoney(refund.amount, refund.currency, language) };
}

/** Says that a refund is on its way. */
export const refundSentContent = ({ t }: EmailContext, { amount, invoice }: RefundFacts): EmailContent => ({
  subject: t('refunded.subject', { amount }),
  preview: t('refunded.preview', { amount }),
  paragraphs: [invoice ? t('creditNote.body', { amount, invoice }) : t('refunded.body', { amount })],
  notes: [t('refunded.note')],
});
