import { Button } from '@fixpoint/ui/button.tsx';
import { Stack } from '@fixpoint/ui/layout.tsx';
import { RadioCards } from '@fixpoint/ui/radio-cards.tsx';
import { Step, type StepState } from '@fixpoint/ui/stepper.tsx';
import { useState } from 'react';
import { type CycleCount, monthlyOf, type Plan, type PlanPrice } from '../../shop/catalog.ts';
import { useFormat } from '../../shop/format.ts';
import { planName } from '../../shop/plan-name.ts';
import { useSaving } from '../../shop/saving.ts';
import { useText } from '../../shop/texts.ts';

export type Chosen = { planId: string | undefined; cycleCount: CycleCount };

/**
 * Step 1: plan and billing cycle. Collapsed if the page was opened with a plan that can be bought.
 */
export function PlanStep(props: {
  number: number;
  state: StepState;
  stateLabel: string;
  plans: readonly Plan[];
  chosen: Chosen;
  /** The preselected plan can be bought as it is. */
  canBuy: boolean;
  onChoose: (chosen: Chosen) => void;
}) {
  const t = useText();
  const { plans, chosen, onChoose } = props;
  const plan = plans.find(({ id }) => id === chosen.planId);
  const [open, setOpen] = useState(plan === undefined || !props.canBuy);
  const cycles = plan?.prices ?? plans[0]?.prices ?? [];
  const saving = useSaving(plan ? [plan] : plans);
  return (
    <Step
      number={props.number}
      title={t('order.plan.title')}
      state={props.state}
      stateLabel={props.stateLabel}
      summary={plan && !open && `${planName(plan.id)}, ${t(`plans.cycle.${chosen.cycleCount}`)}`}
      action={
        <Button variant="quiet" size="s" onClick={() => setOpen(true)}>
          {t('order.plan.change')}
        </Button>
      }
    >
      <Stack gap={6}>
        <RadioCards
          legend={t('plans.cycle')}
          name="cycle"
          value={String(chosen.cycleCount)}
          onChange={value => onChoose({ ...chosen, cycleCount: Number(value) as CycleCount })}
          columns={2}
          options={cycles.map(price => ({
            value: String(price.cycleCount),
            title: t(`plans.cycle.${price.cycleCount}`),
            detail: saving(price.cycleCount),
          }))}
        />
        <RadioCards
          legend={t('order.plan.legend')}
          name="plan"
          value={chosen.planId}
          onChange={planId => onChoose({ ...chosen, planId })}
          options={plans.map(each => ({
            value: each.id,
            title: planName(each.id),
            detail: t('plans.devices', { count: each.devices }),
            aside: <Price price={each.prices.find(price => price.cycleCount === chosen.cycleCount)} />,
          }))}
        />
      </Stack>
    </Step>
  );
}

/** Price of a month, which compares plans and billing periods. */
function Price({ price }: { price: PlanPrice | undefined }) {
  const t = useText();
  const { money } = useFormat();
  return (
    price && (
      <>
        <span translate="no">{money(monthlyOf(price), price.currency)}</span>{' '}
        <span className="muted">{t('plans.perMonth')}</span>
      </>
    )
  );
}
