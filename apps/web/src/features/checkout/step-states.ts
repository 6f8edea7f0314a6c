import type { StepState } from '@fixpoint/ui/stepper.tsx';

/** Which parts of an order are filled in: a plan that can be bought, a place, the customer. */
type Filled = { plan: boolean; place: boolean; account: boolean };

/**
 * State of each step: the first incomplete one is current, those before it are done. Plan and place
 * can be chosen at any time; account and payment only after both.
 */
export function stepStates(filled: Filled) {
  const known = [filled.plan, filled.place, filled.account];
  const current = known.includes(false) ? known.indexOf(false) : known.length;
  const chosen = filled.plan && filled.place;
  const of = (step: number, reachable: boolean): StepState => {
    if (step < current) return 'done';
    if (step === current) return 'current';
    return reachable ? 'next' : 'later';
  };
  return { plan: of(0, true), place: of(1, true), account: of(2, chosen), payment: of(3, chosen) };
}
