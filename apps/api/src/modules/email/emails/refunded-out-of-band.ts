import { formatMoney } from '@fixpoint/texts/format.ts';
import { defineEmail } from '../define-email.ts';

/** Sent when staff has refunded from the operator's own bank what a gateway does not refund. */
export const refundedOutOfBand = defineEmail({
  name: 'refundedOutOfBand',
  toEndedAccounts: true,
  async load({ db, language, subjectId }) {
    const refund = await db
      .selectFrom('out_of_band_refund')
      .select(['currency', 'amount'])
      .where('id', '=', subjectId)
      .executeTakeFirst();
    return refund && { amount: formatMoney(refund.amount, refund.currency, language) };
  },
  content: ({ t }, { amount }) => ({
    subject: t('refunded.subject', { amount }),
    preview: t('refunded.preview', { amount }),
    paragraphs: [t('refunded.outOfBand', { amount })],
  }),
});
