import { renewalSentence } from '@fixpoint/texts/renewal-sentence.ts';
import { Section } from '@fixpoint/ui/layout.tsx';
import { useMedia } from '@fixpoint/ui/lib/use-media.ts';
import { Skeleton } from '@fixpoint/ui/progress.tsx';
import { SummaryList } from '@fixpoint/ui/summary-list.tsx';
import type { Offer, PricedProduct } from '../../shop/catalog.ts';
import { changeRows, restRows } from '../../shop/change-rows.ts';
import { useFormat } from '../../shop/format.ts';
import { planName } from '../../shop/plan-name.ts';
import { regionName } from '../../shop/region.ts';
import { useText } from '../../shop/texts.ts';
import type { PlaceNames } from './place.ts';

/** Beside the form, in a window in which the pay button would be below its edge. */
const LOW = '(min-width: 64rem) and (max-height: 48rem)';

/** Summary above the pay button: product and price, now and later. */
export function OrderSummary(props: {
  priced: PricedProduct | Offer | undefined;
  /** Part of the price that the customer's credit pays. */
  credit: number | undefined;
  /**
   * Proration of the replaced subscription: remaining days, their value, and the part that is used.
   */
  prorated?: { days: number; unused: number; amount: number } | undefined;
  /** The price is being loaded. */
  loading: boolean;
  place: PlaceNames;
  /** The next payment is charged by us; else it is asked for by an invoice. */
  charged: boolean;
}) {
  const { priced, credit = 0, prorated, loading, place, charged } = props;
  const t = useText();
  const { date, money, number, percent } = useFormat();
  const low = useMedia(LOW);
  if (loading) {
    return (
      <Section title={t('order.summary.title')}>
        <Skeleton lines={10} height="30rem" label={t('app.loading')} />
      </Section>
    );
  }
  if (!priced) return <Section title={t('order.summary.title')} lead={t('order.summary.choose')} />;
  const { product, total, vatRate, comingVat, firstYear, renewal } = priced;
  const change = 'change' in priced ? priced.change?.now : undefined;
  const carried = change?.carried ?? 0;
  const amount = (minor: number) => money(minor, total.currency);
  const plan = planName(product.planId);
  const cycle = t(`plans.cycle.${product.cycleCount}`);
  const region = regionName({ id: product.regionId, name: place.region });
  const data = t('plans.compare.data.value', { amount: number(product.dataTransferGb) });
  // Of a place that is no longer sold, only the region has a name here.
  const runBy =
    place.provider && t('order.summary.place', { provider: place.provider, vendor: place.vendor });
  const devices = t('plans.devices', { count: product.devices });
  const bought = low
    ? [
        {
          term: t('order.summary.plan'),
          value: `${plan}, ${cycle}`,
          note: [region, runBy, devices, `${t('order.summary.data')}: ${data}`].filter(Boolean).join(' · '),
        },
      ]
    : [
        { term: t('order.summary.plan'), value: plan },
        { term: t('order.summary.cycle'), value: cycle },
        { term: t('order.place.title'), value: region, note: runBy },
        { term: t('order.summary.devices'), value: number(product.devices) },
        { term: t('order.summary.data'), value: data },
      ];
  return (
    <Section title={t('order.summary.title')}>
      <SummaryList
        compact
        rows={[
          ...bought,
          ...(firstYear
            ? [
                { term: t('order.summary.regular'), value: money(renewal, total.currency), figure: true },
                {
                  term: t('plans.firstYear'),
                  value: money(total.price - renewal, total.currency),
                  tone: 'credit' as const,
                },
              ]
            : []),
          ...(change ? changeRows(t, change, amount) : []),
          {
            term: t('order.summary.total'),
            value: money(total.price, total.currency),
            strong: true,
            note: (
              <>
                <p>
                  {t('order.summary.taxed', {
                    net: money(total.net, total.currency),
                    vat: money(total.vat, total.currency),
                    rate: percent(vatRate),
                  })}
                </p>
                <p>
                  {renewalSentence(t, {
                    charged,
                    months: product.cycleCount,
                    amount: money(renewal, total.currency),
                    date: date(charged ? priced.billedAt : priced.renewsAt),
                  })}
                </p>
                {comingVat && (
                  <p>
                    {t('subscription.vatFrom', {
                      date: date(comingVat.from),
                      rate: percent(comingVat.rateBp / 10_000),
                    })}
                  </p>
                )}
              </>
            ),
          },
          ...(change ? restRows(t, change, amount) : []),
          ...(prorated
            ? [less(t('order.replace.unused', { days: prorated.days }), amount(-prorated.amount))]
            : []),
          ...(credit > 0 ? [less(t('order.summary.credit'), amount(-credit))] : []),
          ...(carried > 0 ? [less(t('order.summary.carried'), amount(-carried))] : []),
          ...(credit > 0 || carried > 0 || prorated
            ? [
                {
                  term: t('order.summary.due'),
                  value: amount(total.price - credit - carried - (prorated?.amount ?? 0)),
                  strong: true,
                },
              ]
            : []),
          ...(prorated ? restRows(t, { rest: prorated.unused - prorated.amount }, amount) : []),
        ]}
      />
    </Section>
  );
}

/** Row of a deduction. */
const less = (term: string, amount: string) => ({ term, value: amount, tone: 'credit' as const });
