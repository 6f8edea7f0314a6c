import { useFormat } from './format.ts';
import type { SubscriptionItem } from './subscriptions.ts';
import { useText } from './texts.ts';

export type OpenInvoice = NonNullable<SubscriptionItem['openInvoice']>;

/**
 * Text of a renewal that is past due, in the words of our emails: what comes next, and until when.
 */
export function useDueText(): (invoice: OpenInvoice) => string {
  const t = useText();
  const { date, money } = useFormat();
  return ({ currency, until, onItsWay, nextTryAt, stopped, ...of }) => {
    const amount = money(of.amount, currency);
    if (onItsWay) return t('renewal.owed.onItsWay', { amount });
    if (stopped === 'refused') return t('renewal.owed.refused', { amount, date: date(until) });
    if (stopped === 'confirm') return t('renewal.owed.confirm', { amount, date: date(until) });
    if (!nextTryAt) return t('renewal.owed', { amount, date: date(until) });
    return t(nextTryAt === until ? 'renewal.owed.last' : 'renewal.owed.again', {
      amount,
      date: date(nextTryAt),
    });
  };
}
