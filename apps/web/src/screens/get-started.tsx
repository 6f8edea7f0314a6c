import { lazy, Suspense } from 'react';
import { PlanChoice, PlansArriving } from '../features/plans/plan-choice.tsx';
import { PlanNotes } from '../features/plans/plan-notes.tsx';
import { Questions } from '../features/plans/questions.tsx';
import { usePlans } from '../lib/catalog.ts';
import { loadChunk } from '../lib/chunk.ts';
import { useHref } from '../lib/links.ts';
import { LoadError } from '../lib/load-error.tsx';
import { useText } from '../lib/texts.ts';
import { buttonClass } from '../ui/button.tsx';
import { Cluster, Page, Section, Stack } from '../ui/layout.tsx';
import { Skeleton } from '../ui/progress.tsx';

const PlanCompare = lazy(async () => ({
  default: (await loadChunk(() => import('../features/plans/plan-compare.tsx'))).PlanCompare,
}));

/** Pricing plans and questions (anchor `#FAQ`). */
export function Screen() {
  const t = useText();
  const href = useHref();
  const { data, error, isPending, refetch } = usePlans();
  const plans = data?.plans ?? [];
  const arriving = <Skeleton lines={12} height="37rem" />;
  return (
    <Page>
      <Stack gap={16}>
        <Section level={1} title={t('plans.title')} lead={t('plans.lead')}>
          {error && <LoadError error={error} onRetry={refetch} />}
          {isPending && <PlansArriving />}
          {data && <PlanChoice plans={plans} />}
        </Section>
        <PlanNotes />
        {(isPending || plans.length > 1) && (
          <Section size="l" title={t('plans.compare')}>
            <Suspense fallback={arriving}>{data ? <PlanCompare plans={plans} /> : arriving}</Suspense>
          </Section>
        )}
        <Section size="l" id="FAQ" title={t('plans.faq')}>
          <Questions />
          <Cluster>
            <p>{t('plans.faq.more')}</p>
            <a className={buttonClass({})} href={href('/what-is-vpn#support')}>
              {t('plans.faq.more.action')}
            </a>
          </Cluster>
        </Section>
      </Stack>
    </Page>
  );
}
