import { formatMoney } from '@fixpoint/texts/format.ts';
import { readPartPaid } from '../../billing/index.ts';
import { defineEmail } from '../define-email.ts';

/**
 * Sent when less has come than an invoice asks for, as soon as that is seen: who pays by a wallet has often closed the page.
 * Not sent once the rest is there, or nobody can pay it any more.
 */
export const paidInPart = defineEmail({
  name: 'paidInPart',
  load: ({ db, subjectId }) => readPartPaid(db, subjectId),
  content({ t, language, pageAt }, { currency, arrived, missing, orderId, subscriptionId }) {
    const values = {
      arrived: formatMoney(arrived, currency, language),
      missing: formatMoney(missing, currency, language),
    };
    const body = t('paidInPart.body', values);
    return {
      subject: t('paidInPart.subject', values),
      preview: body,
      // No link leads to an order: only the window that began it has its key.
      ...(orderId
        ? { paragraphs: [body, t('paidInPart.order')] }
        : {
            paragraphs: [body],
            action: {
              label: t('paidInPart.action'),
              url: pageAt(`management/subscription/${subscriptionId}/pay`),
            },
          }),
    };
  },
});
