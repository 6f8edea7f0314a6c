import { monthlyOf, type Plan, type Plans } from '../../shop/catalog.ts';
import { useFormat } from '../../shop/format.ts';
import { useText } from '../../shop/texts.ts';

/** The lowest monthly price, and the billing period that it requires. */
export function PriceFrom({ plans }: { plans: Plans['plans'] }) {
  const t = useText();
  const { money } = useFormat();
  const lowest = cheapest(plans);
  if (!lowest) return null;
  const { monthly, price } = lowest;
  return (
    <span>
      {t(price.firstYear ? 'home.from.firstYear' : 'home.from.plain', {
        amount: money(monthly, price.currency),
        cycle: t(`plans.cycle.${price.cycleCount}`),
      })}
    </span>
  );
}

/** The lowest price per month, in hundredths, with the price it belongs to. */
function cheapest(plans: readonly Plan[]) {
  const [lowest] = plans
    .flatMap(plan => plan.prices.map(price => ({ monthly: monthlyOf(price), price })))
    .sort((a, b) => a.monthly - b.monthly);
  return lowest;
}
