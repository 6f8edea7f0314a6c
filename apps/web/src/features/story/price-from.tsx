import { cheapest, type Plans } from '../../shop/catalog.ts';
import { useFormat } from '../../shop/format.ts';
import { useText } from '../../shop/texts.ts';

/** The lowest monthly price, and what has to be paid at once to get it. */
export function PriceFrom({ plans }: { plans: Plans['plans'] }) {
  const t = useText();
  const { money } = useFormat();
  const lowest = cheapest(plans);
  if (!lowest) return null;
  const { monthly, price } = lowest;
  return t(price.firstYear ? 'home.from.firstYear' : 'home.from.plain', {
    amount: money(monthly, price.currency),
    cycle: t(`plans.cycle.${price.cycleCount}`),
  });
}
