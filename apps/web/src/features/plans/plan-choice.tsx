import { EmptyState } from '@fixpoint/ui/empty-state.tsx';
import { Grid, Stack } from '@fixpoint/ui/layout.tsx';
import { Skeleton } from '@fixpoint/ui/progress.tsx';
import { RadioCards } from '@fixpoint/ui/radio-cards.tsx';
import { useState } from 'react';
import { type CycleCount, cycleCountsOf, type Plan } from '../../shop/catalog.ts';
import { useSaving } from '../../shop/saving.ts';
import { useText } from '../../shop/texts.ts';
import { PlanCards } from './plan-cards.tsx';

/** Choice of the billing period, with its saving, and the plans at its prices. */
export function PlanChoice({ plans }: { plans: readonly Plan[] }) {
  const t = useText();
  const saving = useSaving(plans);
  const cycles = cycleCountsOf(plans);
  const [cycleCount, setCycleCount] = useState<CycleCount>(cycles.at(-1) ?? 12);
  if (plans.length === 0)
    return <EmptyState title={t('plans.none.title')}>{t('plans.none.text')}</EmptyState>;
  return (
    <Stack gap={8}>
      <RadioCards
        legend={t('plans.cycle')}
        name="cycle"
        value={String(cycleCount)}
        onChange={value => setCycleCount(Number(value) as CycleCount)}
        columns={4}
        options={cycles.map(cycle => ({
          value: String(cycle),
          title: t(`plans.cycle.${cycle}`),
          detail: saving(cycle),
        }))}
      />
      <PlanCards plans={plans} cycleCount={cycleCount} />
    </Stack>
  );
}

/** Placeholder of the choice: same columns, about the same height. */
export function PlansSkeleton() {
  const t = useText();
  return (
    <Stack gap={8}>
      <Skeleton height="6.8rem" label={t('app.loading')} />
      <Grid min="13.5rem">
        {['first', 'second', 'third'].map(plan => (
          <Skeleton key={plan} lines={6} height="26rem" />
        ))}
      </Grid>
    </Stack>
  );
}
