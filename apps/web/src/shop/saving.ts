import { type CycleCount, type Plan, savingOf } from './catalog.ts';
import { useFormat } from './format.ts';
import { useText } from './texts.ts';

/** Says what a billing period saves against paying monthly; undefined if nothing. */
export function useSaving(plans: readonly Plan[]): (cycle: CycleCount) => string | undefined {
  const t = useText();
  const { percent } = useFormat();
  return cycle => {
    const share = savingOf(plans, cycle);
    if (share <= 0) return undefined;
    // A saving in the first year must not look permanent.
    const first = plans.some(plan =>
      plan.prices.some(price => price.cycleCount === cycle && price.firstYear),
    );
    return t(first ? 'plans.saveFirstYear' : 'plans.save', { percent: percent(share) });
  };
}
