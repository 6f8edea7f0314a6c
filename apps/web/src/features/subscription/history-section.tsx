import { Section } from '@fixpoint/ui/layout.tsx';
import { SummaryList } from '@fixpoint/ui/summary-list.tsx';
import { useFormat } from '../../shop/format.ts';
import { planName } from '../../shop/plan-name.ts';
import type { SubscriptionDetail } from '../../shop/subscriptions.ts';
import { useText } from '../../shop/texts.ts';

/** Events of a subscription, newest first, with their details. */
export function HistorySection({ subscription }: { subscription: SubscriptionDetail }) {
  const t = useText();
  const { dateTime } = useFormat();
  const { history, orderedAt } = subscription;
  const factsOf = useFacts();
  const rows = history.map(one => {
    const facts = factsOf(one);
    const value = (
      <>
        <span>{t(`history.${one.event}`)}</span>
        {facts && <br />}
        {facts && <span className="muted">{facts}</span>}
      </>
    );
    return { term: dateTime(one.at), value };
  });
  return (
    <Section title={t('history.title')}>
      <SummaryList
        compact
        flow="log"
        rows={[...rows, { term: dateTime(orderedAt), value: t('history.order') }]}
      />
    </Section>
  );
}

/** Plan, amount and date of an event. */
function useFacts() {
  const t = useText();
  const { date, money, percent } = useFormat();
  return ({ event, ...of }: SubscriptionDetail['history'][number]): string | undefined => {
    const plans = of.plans && `${planName(of.plans.from)} → ${planName(of.plans.to)}`;
    const amount = of.amount && money(of.amount.amount, of.amount.currency);
    const day = of.day && date(of.day);
    if (plans) return day ? t('history.planFrom', { plans, date: day }) : plans;
    if (of.port) return String(of.port);
    if (!day) return undefined;
    if (of.vatRateBp !== undefined)
      return t('subscription.vatFrom', { date: day, rate: percent(of.vatRateBp / 10_000) });
    if (amount)
      return t(event === 'announce' ? 'subscription.priceFrom' : 'history.paid', { amount, date: day });
    const isUntil = event === 'cancel' || event === 'giveDays';
    return isUntil ? t('subscription.status.activeUntil', { date: day }) : undefined;
  };
}
