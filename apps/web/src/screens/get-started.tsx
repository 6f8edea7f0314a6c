import { buttonClass } from '@fixpoint/ui/button.tsx';
import { Cluster, Page, Section, Stack } from '@fixpoint/ui/layout.tsx';
import { loadChunk } from '@fixpoint/ui/lib/chunk.ts';
import { useSettled } from '@fixpoint/ui/lib/settled.ts';
import { Skeleton } from '@fixpoint/ui/progress.tsx';
import { lazy, Suspense } from 'react';
import { PlanChoice, PlansSkeleton } from '../features/plans/plan-choice.tsx';
import { usePlans } from '../shop/catalog.ts';
import { useHref } from '../shop/links.ts';
import { LoadError } from '../shop/load-error.tsx';
import { useText } from '../shop/texts.ts';

// Content below the fold loads after the first screen, into reserved space.
const PlanCompare = lazy(async () => ({
  default: (await loadChunk(() => import('../features/plans/plan-compare.tsx'))).PlanCompare,
}));

const PlanNotes = lazy(async () => ({
  default: (await loadChunk(() => import('../features/plans/plan-notes.tsx'))).PlanNotes,
}));
const Questions = lazy(async () => ({
  default: (await loadChunk(() => import('../features/plans/questions.tsx'))).Questions,
}));

const notesArriving = <Skeleton lines={4} height="15.25rem" />;
const tableArriving = <Skeleton lines={12} height="37rem" />;
const questionsArriving = <Skeleton lines={10} height="35rem" />;

/** Plans, prices and questions (anchor `#FAQ`). */
export function Screen() {
  const t = useText();
  const href = useHref();
  const { data, error, isPending, refetch } = usePlans();
  const plans = data?.plans ?? [];
  const settled = useSettled();
  return (
    <Page>
      <Stack gap={16}>
        <Section level={1} title={t('plans.title')} lead={t('plans.lead')}>
          {error && <LoadError error={error} onRetry={refetch} />}
          {isPending && <PlansSkeleton />}
          {data && <PlanChoice plans={data} />}
        </Section>
        {(isPending || plans.length > 0) && (
          <Suspense fallback={notesArriving}>
            {settled && data ? <PlanNotes payBy={data.payBy} /> : notesArriving}
          </Suspense>
        )}
        {(isPending || plans.length > 1) && (
          <Section size="l" title={t('plans.compare')}>
            <Suspense fallback={tableArriving}>
              {settled && data ? <PlanCompare plans={plans} /> : tableArriving}
            </Suspense>
          </Section>
        )}
        <Section size="l" id="FAQ" title={t('plans.faq')}>
          <Suspense fallback={questionsArriving}>{settled ? <Questions /> : questionsArriving}</Suspense>
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
