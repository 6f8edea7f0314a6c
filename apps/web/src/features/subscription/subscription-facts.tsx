import { Accordion } from '@fixpoint/ui/accordion.tsx';
import { Cluster, Section, Stack } from '@fixpoint/ui/layout.tsx';
import { SummaryList, type SummaryRow } from '@fixpoint/ui/summary-list.tsx';
import { useFormat } from '../../shop/format.ts';
import { useHref } from '../../shop/links.ts';
import { planName } from '../../shop/plan-name.ts';
import { type SubscriptionDetail, subscriptionRegion } from '../../shop/subscriptions.ts';
import { useText } from '../../shop/texts.ts';
import { Usage } from './usage.tsx';

type Rows = (SummaryRow | false | undefined)[];
const shown = (rows: Rows): SummaryRow[] => rows.filter(row => row !== false && row !== undefined);

/**
 * Facts of a subscription: plan, location, next amount, and this month's usage. Dates and ids, which
 * few look for, are closed.
 */
export function SubscriptionFacts({ subscription }: { subscription: SubscriptionDetail }) {
  const t = useText();
  const href = useHref();
  const { date, money, number, percent } = useFormat();
  const { startedAt, periodEnd, endedAt, overdue, billedAt, openInvoice } = subscription;
  const { renewal, planned, announcedPrice, announcedVat, paid } = subscription;
  const ends = subscription.cancelAtPeriodEnd || subscription.status === 'expired';
  const announced = [
    announcedPrice &&
      t('subscription.priceFrom', {
        date: date(announcedPrice.from),
        amount: money(announcedPrice.price, renewal.currency),
      }),
    announcedVat &&
      t('subscription.vatFrom', {
        date: date(announcedVat.from),
        rate: percent(announcedVat.rateBp / 10_000),
      }),
  ].filter(text => text !== undefined);
  const facts: Rows = [
    {
      term: t('subscription.plan'),
      value: planName(subscription.planId),
      note: planned && t('upgrade.planned', { plan: planName(planned.planId), date: date(planned.from) }),
    },
    { term: t('subscription.cycle'), value: t(`plans.cycle.${subscription.cycleCount}`) },
    {
      term: t('subscription.region'),
      value: subscriptionRegion(subscription),
      note: t('order.summary.place', { provider: subscription.provider, vendor: subscription.vendor }),
    },
    {
      term: t('plans.compare.rate'),
      value: t('subscription.rate.value', { rate: number(subscription.rateMbit) }),
    },
    {
      term: t('devices.title'),
      value: t('subscription.keysOf', { count: subscription.keyCount, max: subscription.devices }),
    },
    openInvoice !== undefined &&
      !openInvoice.onItsWay && { term: t('payment.due'), value: date(openInvoice.until) },
    !ends && {
      term: t('subscription.renewal'),
      value: money(renewal.price, renewal.currency),
      note: announced.length > 0 && announced.map(text => <p key={text}>{text}</p>),
    },
  ];
  const more: Rows = [
    { term: t('subscription.ordered'), value: date(subscription.orderedAt) },
    startedAt !== undefined && { term: t('subscription.started'), value: date(startedAt) },
    periodEnd !== undefined &&
      !overdue && {
        term: t(ends ? 'subscription.ends' : 'subscription.renews'),
        value: date(endedAt ?? periodEnd),
      },
    billedAt !== undefined && { term: t('subscription.billed'), value: date(billedAt) },
    paid !== undefined && {
      term: t('order.summary.total'),
      value: money(paid.amount, paid.currency),
      note: t('subscription.paidFor', { from: date(paid.from), until: date(paid.until) }),
    },
    periodEnd !== undefined && { term: t('subscription.paidUntil'), value: date(periodEnd) },
    { term: t('subscription.id'), value: <span className="mono">{subscription.id}</span> },
    { term: t('subscription.order'), value: <span className="mono">{subscription.ref}</span> },
  ];
  return (
    <Section
      title={t('subscription.details')}
      actions={
        <Cluster>
          {subscription.allowedActions.includes('upgrade') && (
            <a href={href(`/management/subscription/${subscription.id}/upgrade`)}>{t('upgrade.title')}</a>
          )}
          {subscription.status !== 'expired' && (
            <a href={href(`/management/subscription/${subscription.id}/bandwidth-control`)}>
              {t('bandwidth.title')}
            </a>
          )}
        </Cluster>
      }
    >
      <Stack gap={6}>
        <SummaryList compact flow="columns" rows={shown(facts)} />
        {subscription.status !== 'expired' && <Usage subscription={subscription} />}
        <Accordion
          items={[
            {
              id: 'more',
              title: t('subscription.more'),
              content: <SummaryList compact rows={shown(more)} />,
            },
          ]}
        />
      </Stack>
    </Section>
  );
}
