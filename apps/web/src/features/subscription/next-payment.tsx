import { useCards } from '../../shop/billing.ts';
import { cardName } from '../../shop/card-name.ts';
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
  const saved = data && !byHand && savedOf(data);
  const by = saved ? t('payment.next.by', { method: saved }) : t('payment.next.byHand');
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

type Saved = NonNullable<ReturnType<typeof useCards>['data']>;

/** What a renewal is charged to, as its owner knows it. */
function savedOf({ cards, accounts }: Saved): string | undefined {
  const card = cards.find(({ isDefault }) => isDefault);
  const account = accounts.find(({ isDefault }) => isDefault);
  return card ? cardName(card) : account && `PayPal, ${account.account}`;
}
