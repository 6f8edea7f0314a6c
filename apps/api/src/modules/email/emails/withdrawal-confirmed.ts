import { formatMoney } from '@fixpoint/texts/format.ts';
import { defineEmail } from '../define-email.ts';
import { toSubscription } from '../links.ts';
import { subscriptionFacts } from '../subscription-facts.ts';
import { lastEntry } from '../subscription-history.ts';

type Returned = { currency: string; money: number; credit: number };

/** Sent when a customer has withdrawn from the contract of a subscription: names what is refunded and what is credit. */
export const withdrawalConfirmed = defineEmail({
  name: 'withdrawn',
  async load(context) {
    const facts = await subscriptionFacts(context);
    const entry = await lastEntry(context.db, context.subjectId, 'withdraw').executeTakeFirst();
    return facts && entry && { values: facts.values, ...(entry.detail as Returned) };
  },
  about: ({ values }) => values,
  content(context, { values, currency, money, credit }) {
    const { t, language } = context;
    const amount = (minor: number) => ({ amount: formatMoney(minor, currency, language) });
    return {
      subject: t('withdrawn.subject', values),
      preview: t('withdrawn.preview'),
      paragraphs: [
        t('withdrawn.body', values),
        t('expired.unprotected'),
        ...(money > 0 ? [t('withdrawn.money', amount(money))] : []),
        ...(credit > 0 ? [t('withdrawn.credit', amount(credit))] : []),
      ],
      action: toSubscription(context),
      ...(money > 0 && { notes: [t('refunded.note')] }),
    };
  },
});
