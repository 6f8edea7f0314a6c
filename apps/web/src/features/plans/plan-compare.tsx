import { type CompareRow, CompareTable } from '@fixpoint/ui/compare-table.tsx';
import { type CycleCount, cycleCountsOf, monthlyOf, type Plan, type PlanPrice } from '../../shop/catalog.ts';
import { useFormat } from '../../shop/format.ts';
import { planName } from '../../shop/plan-name.ts';
import { useText } from '../../shop/texts.ts';

/** Comparison of all plans: contents, and monthly prices by billing period, now and later. */
export function PlanCompare({ plans }: { plans: readonly Plan[] }) {
  const t = useText();
  const { money, number } = useFormat();
  const priceOf = (plan: Plan, cycle: CycleCount) => plan.prices.find(price => price.cycleCount === cycle);
  const line = (id: string, head: string, cell: (plan: Plan) => string): CompareRow => ({
    id,
    head,
    cells: plans.map(cell),
  });
  const priced = (id: string, head: string, cycle: CycleCount, monthly: (price: PlanPrice) => number) =>
    line(id, head, plan => {
      const price = priceOf(plan, cycle);
      return price ? money(monthly(price), price.currency) : '–';
    });
  const prices = cycleCountsOf(plans).flatMap(cycle => {
    const name = { cycle: t(`plans.cycle.${cycle}`) };
    const introductory = plans.some(plan => priceOf(plan, cycle)?.firstYear);
    if (!introductory) return [priced(`${cycle}`, name.cycle, cycle, monthlyOf)];
    return [
      priced(`${cycle}-first`, t('plans.compare.firstYear', name), cycle, monthlyOf),
      priced(`${cycle}-later`, t('plans.compare.later', name), cycle, ({ renewal }) =>
        Math.round(renewal / cycle),
      ),
    ];
  });
  return (
    <CompareTable
      caption={t('plans.compare')}
      corner={t('plans.compare.what')}
      columns={plans.map(plan => ({ id: plan.id, head: planName(plan.id) }))}
      groups={[
        {
          id: 'contents',
          rows: [
            line('ip', t('plans.compare.ip'), () => number(1)),
            line('devices', t('order.summary.devices'), plan => number(plan.devices)),
            line('rate', t('plans.compare.rate'), plan =>
              t('subscription.rate.value', { rate: number(plan.rateMbit) }),
            ),
            line('port', t('plans.compare.port'), plan => (plan.portForward ? number(1) : '–')),
            line('data', t('plans.compare.data'), plan =>
              t('plans.compare.data.value', { amount: number(plan.dataTransferGb) }),
            ),
          ],
        },
        { id: 'prices', title: t('plans.compare.price'), rows: prices },
      ]}
    />
  );
}
