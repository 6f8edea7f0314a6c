import { buttonClass } from '@fixpoint/ui/button.tsx';
import { Cluster, Page, Section, Stack } from '@fixpoint/ui/layout.tsx';
import { lazyComponent } from '@fixpoint/ui/lib/chunk.ts';
import { useSettled } from '@fixpoint/ui/lib/settled.ts';
import { Skeleton } from '@fixpoint/ui/progress.tsx';
import { lazy, Suspense } from 'react';
import { PlanChoice, PlansSkeleton } from '../features/plans/plan-choice.tsx';
import { usePlans } from '../shop/catalog.ts';
import { useHref } from '../shop/links.ts';
import { LoadError } from '../shop/load-error.tsx';
import { useText } from '../shop/texts.ts';

// Content below the fold loads after the first screen, into reserved space.
const PlanDetails = lazy(
  lazyComponent(
    () => import('../features/plans/plan-details.tsx'),
    it => it.PlanDetails,
  ),
);
const Questions = lazy(
  lazyComponent(
    () => import('../features/plans/questions.tsx'),
    it => it.Questions,
  ),
);

const questionsArriving = <Skeleton lines={10} height="35rem" />;

/** Plans, prices and questions (anchor `#FAQ`). */
export function Screen() {
  const t = useText();
  const href = useHref();
  const { data, error, isPending, refetch } = usePlans();
  const plans = data?.plans ?? [];
  const settled = useSettled();
  const detailsArriving = (
    <>
      <Skeleton lines={4} height="15.25rem" />
      <Section size="l" title={t('plans.compare')}>
        <Skeleton lines={12} height="37rem" />
      </Section>
    </>
  );
  return (
    <Page>
      <Stack gap={16}>
        <Section level={1} title={t('plans.title')} lead={t('plans.lead')}>
          {error && <LoadError error={error} onRetry={refetch} />}
          {isPending && <PlansSkeleton />}
          {data && <PlanChoice plans={data} />}
        </Section>
        {(isPending || plans.length > 0) && (
          <Suspense fallback={detailsArriving}>
            {settled && data ? <PlanDetails plans={plans} payBy={data.payBy} /> : detailsArriving}
          </Suspense>
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
