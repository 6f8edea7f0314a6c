import { useState } from 'react';
import { PlanCards } from '../features/plans/plan-cards.tsx';
import type { CycleCount, Plan } from '../lib/catalog.ts';
import { usePlans } from '../lib/catalog.ts';
import { LoadError } from '../lib/load-error.tsx';
import { useText } from '../lib/texts.ts';
import { Accordion } from '../ui/accordion.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Page, Section, Stack } from '../ui/layout.tsx';
import { Skeleton } from '../ui/progress.tsx';
import { RadioCards } from '../ui/radio-cards.tsx';

const questions = ['fixed', 'software', 'devices', 'cancel'] as const;

/** Pricing plans and questions (anchor `#FAQ`). */
export function Screen() {
  const t = useText();
  const plans = usePlans();
  return (
    <Page>
      <Stack gap={16}>
        <Section level={1} title={t('plans.title')} lead={t('plans.lead')}>
          {plans.error && <LoadError error={plans.error} onRetry={plans.refetch} />}
          {plans.isPending && <Skeleton lines={12} label={t('app.loading')} />}
          {plans.data && <Plans plans={plans.data.plans} />}
        </Section>
        <Section id="FAQ" title={t('plans.faq')}>
          <Accordion
            items={questions.map(id => ({
              id,
              title: t(`plans.faq.${id}.question`),
              content: t(`plans.faq.${id}.answer`),
            }))}
          />
        </Section>
      </Stack>
    </Page>
  );
}

function Plans({ plans }: { plans: readonly Plan[] }) {
  const t = useText();
  const cycles = [...new Set(plans.flatMap(plan => plan.prices.map(price => price.cycleCount)))].sort(
    (a, b) => a - b,
  );
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
        }))}
      />
      <PlanCards plans={plans} cycleCount={cycleCount} />
    </Stack>
  );
}
