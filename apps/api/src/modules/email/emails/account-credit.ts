import { formatMoney } from '@fixpoint/texts/format.ts';
import { defineEmail } from '../define-email.ts';

/** Sent when an unapplied payment became credit of its customer, or the operator gave credit as a goodwill gesture. */
export const accountCredit = defineEmail({
  name: 'credit',
  async load({ db, language, subjectId }) {
    const entry = await db
      .selectFrom('ledger_entry')
      .select(['currency', 'amount'])
      .where('txn', '=', subjectId)
      .where('account', '=', 'credit')
      .executeTakeFirst();
    return (
      entry && {
        amount: formatMoney(-entry.amount, entry.currency, language),
        isGoodwill: subjectId.startsWith('goodwill:'),
      }
    );
  },
  content({ t }, { amount, isGoodwill }) {
    const subject = t('credit.subject', { amount });
    if (isGoodwill) {
      const body = t('credit.goodwill', { amount });
      return { subject, preview: body, paragraphs: [body] };
    }
    return {
      subject,
      preview: t('credit.preview', { amount }),
      paragraphs: [t('credit.body', { amount })],
      notes: [t('credit.note')],
    };
  },
});
