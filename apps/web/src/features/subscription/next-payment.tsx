import type { SummaryRow } from '@fixpoint/ui/summary-list.tsx';
import { useCards } from '../../shop/billing.ts';
import { defaultMethod } from '../../shop/default-method.ts';
import { useFormat } from '../../shop/format.ts';
import type { SubscriptionItem } from '../../shop/subscriptions.ts';
import { useText } from '../../shop/texts.ts';

/**
 * Next payment with date and method; or the last day of a subscription that does not renew, or the
 * due date of an open invoice.
 */
export function useNextPayment(subscription: SubscriptionItem): SummaryRow[] {
  const t = useText();
  const { date, money } = useFormat();
  const { data } = useCards();
  const { periodEnd, endedAt, cancelAtPeriodEnd, suspended, status, renewal, billedAt, openInvoice } =
    subscription;
  const { byHand, isGift } = subscription;
  if (!periodEnd) return [];
  if (cancelAtPeriodEnd || suspended || status === 'expired') {
    return [{ term: t('subscription.ends'), value: date(endedAt ?? periodEnd) }];
  }
  if (openInvoice) {
    // Shown above; a payment under way has no date.
    if (openInvoice.onItsWay) return [];
    const amountDue = money(openInvoice.amount, openInvoice.currency);
    return [{ term: t('payment.due'), value: date(openInvoice.until), note: amountDue }];
  }
  if (!billedAt) return [];
  const amount = money(renewal.price, renewal.currency);
  const saved = data && !byHand && defaultMethod(data);
  const by = saved
    ? t('payment.next.by', { method: saved.name })
    : t('payment.next.byHand', { date: date(billedAt) });
  const credit =
    !isGift && data?.credit.find(({ currency, amount: has }) => currency === renewal.currency && has > 0);
  return [
    {
      term: t('payment.next'),
      value: byHand ? amount : t('payment.next.on', { amount, date: date(billedAt) }),
      note: data && (
        <>
          <span>{by}</span>
          {credit && <br />}
          {credit && <span>{t('billing.credit', { amount: money(credit.amount, credit.currency) })}</span>}
        </>
      ),
    },
  ];
}
