import type { StepState } from '@fixpoint/ui/stepper.tsx';

/** What has been said of an order: a plan that can be bought, a place, and who buys. */
type Said = { plan: boolean; place: boolean; account: boolean };

/**
 * How each step of an order stands: the first that lacks something is the current one, and what comes before it is done.
 * Plan and place can be chosen at any time; account and payment are of use once both are.
 */
export function stepStates(said: Said) {
  const known = [said.plan, said.place, said.account];
  const current = known.includes(false) ? known.indexOf(false) : known.length;
  const chosen = said.plan && said.place;
  const of = (step: number, reachable: boolean): StepState => {
    if (step < current) return 'done';
    if (step === current) return 'current';
    return reachable ? 'next' : 'later';
  };
  return { plan: of(0, true), place: of(1, true), account: of(2, chosen), payment: of(3, chosen) };
}
