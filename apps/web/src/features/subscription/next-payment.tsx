import { useCards } from '../../shop/billing.ts';
import { defaultMethod } from '../../shop/default-method.ts';
import { useFormat } from '../../shop/format.ts';
import type { SubscriptionItem } from '../../shop/subscriptions.ts';
import { useText } from '../../shop/texts.ts';
import type { SummaryRow } from '../../ui/summary-list.tsx';

/** What is paid next, when and with what; the last day of what does not renew. What is overdue has its own word. */
export function useNextPayment(subscription: SubscriptionItem): SummaryRow[] {
  const t = useText();
  const { date, money } = useFormat();
  const { data } = useCards();
  const { periodEnd, cancelAtPeriodEnd, suspended, status, renewal, byHand } = subscription;
  if (!periodEnd || status === 'pastDue') return [];
  if (cancelAtPeriodEnd || suspended || status === 'expired') {
    return [{ term: t('subscription.ends'), value: date(periodEnd) }];
  }
  const amount = money(renewal.price, renewal.currency);
  const saved = data && !byHand && defaultMethod(data);
  const by = saved ? t('payment.next.by', { method: saved.name }) : t('payment.next.byHand');
  const credit = data?.credit.find(({ currency, amount: has }) => currency === renewal.currency && has > 0);
  return [
    {
      term: t('payment.next'),
      value: t('payment.next.on', { amount, date: date(periodEnd) }),
      note: data && (
        <>
          {by}
          {credit && <br />}
          {credit && t('billing.credit', { amount: money(credit.amount, credit.currency) })}
        </>
      ),
    },
  ];
}
