import { Section } from '@fixpoint/ui/layout.tsx';
import type { Plans } from '../../shop/catalog.ts';
import { useText } from '../../shop/texts.ts';
import { PlanCompare } from './plan-compare.tsx';
import { PlanNotes } from './plan-notes.tsx';

/** What the cards of the plans leave out: notes, and the table that compares them. */
export function PlanDetails({ plans, payBy }: Pick<Plans, 'plans' | 'payBy'>) {
  const t = useText();
  return (
    <>
      {plans.length > 0 && <PlanNotes payBy={payBy} />}
      {plans.length > 1 && (
        <Section size="l" title={t('plans.compare')}>
          <PlanCompare plans={plans} />
        </Section>
      )}
    </>
  );
}
