import { cardEnd } from '@fixpoint/domain/payment/card.ts';
import { chargeAt } from '@fixpoint/domain/subscription/renewal.ts';
import { formatMonth } from '@fixpoint/texts/format.ts';
import type { Db } from '../../ports/database.ts';
import { cardsOf } from '../payment/index.ts';
import type { EmailContent } from './email-content.ts';
import { type SubscriptionWriter, subscriptionFacts } from './subscription-facts.ts';

/** The card that pays for a subscription runs out before it is charged next. Not written once another one pays for it. */
export function cardEmails(db: Db) {
  return {
    async cardExpiring(w: SubscriptionWriter): Promise<EmailContent | undefined> {
      const found = await subscriptionFacts(db, w);
      if (found?.row.status !== 'active' || found.row.cancel_at_period_end || found.row.suspended)
        return undefined;
      const card = await cardsOf(db, found.row.customer_id).where('is_default', '=', true).executeTakeFirst();
      const charge = chargeAt({ start: found.row.period_start!, end: found.row.period_end });
      if (!card || cardEnd(card) > charge) return undefined;
      const month = `${card.expiryYear}-${card.expiryMonth}`;
      const said = {
        ...found.coming,
        last4: card.last4,
        date: found.day(charge),
        until: formatMonth(w.dates, month),
      };
      return {
        subject: w.t('cardExpiring.subject'),
        preview: w.t('cardExpiring.preview', said),
        paragraphs: [w.t('cardExpiring.body', said)],
        action: { label: w.t('cardExpiring.action'), url: w.pageAt('management/billing') },
        notes: [w.t('cardExpiring.note')],
      };
    },
  };
}
