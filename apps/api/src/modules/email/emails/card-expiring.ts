import { cardEnd } from '@fixpoint/domain/payment/card.ts';
import { formatMonth } from '@fixpoint/texts/format.ts';
import { cardsOf } from '../../payment/index.ts';
import { defineEmail } from '../define-email.ts';
import { renewingSubscription } from '../subscription-facts.ts';

/**
 * Sent when the card that pays for a subscription expires before its next charge. Not sent once another card pays for it,
 * or it does not renew.
 */
export const cardExpiring = defineEmail({
  name: 'cardExpiring',
  together: { kind: 'cardExpiring', pace: 'day' },
  async load(context) {
    const facts = await renewingSubscription(context);
    if (!facts) return undefined;
    const { row } = facts;
    const card = await cardsOf(context.db, row.customer_id).where('is_default', '=', true).executeTakeFirst();
    if (!card || facts.isPast(facts.chargedAt)) return undefined;
    return cardEnd(card) <= facts.chargedAt ? { ...facts, card } : undefined;
  },
  about: ({ values }) => values,
  content({ t, dates, pageAt }, { card, chargeDay, nextPeriodValues }) {
    const values = {
      ...nextPeriodValues,
      last4: card.last4,
      date: chargeDay,
      until: formatMonth(dates, `${card.expiryYear}-${card.expiryMonth}`),
    };
    return {
      subject: t('cardExpiring.subject'),
      preview: t('cardExpiring.preview', values),
      paragraphs: [t('cardExpiring.body', values)],
      action: { label: t('cardExpiring.action'), url: pageAt('management/billing') },
      notes: [t('cardExpiring.note')],
    };
  },
});
