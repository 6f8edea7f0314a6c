import { PlanChoice, PlansArriving } from '../features/plans/plan-choice.tsx';
import { PlanCompare } from '../features/plans/plan-compare.tsx';
import { PlanNotes } from '../features/plans/plan-notes.tsx';
import { Questions } from '../features/plans/questions.tsx';
import { usePlans } from '../lib/catalog.ts';
import { useHref } from '../lib/links.ts';
import { LoadError } from '../lib/load-error.tsx';
import { useText } from '../lib/texts.ts';
import { buttonClass } from '../ui/button.tsx';
import { Cluster, Page, Section, Stack } from '../ui/layout.tsx';

/** Pricing plans and questions (anchor `#FAQ`). */
export function Screen() {
  const t = useText();
  const href = useHref();
  const { data, error, isPending, refetch } = usePlans();
  const plans = data?.plans ?? [];
  return (
    <Page>
      <Stack gap={16}>
        <Section level={1} title={t('plans.title')} lead={t('plans.lead')}>
          {error && <LoadError error={error} onRetry={refetch} />}
          {isPending && <PlansArriving />}
          {data && <PlanChoice plans={plans} />}
        </Section>
        <PlanNotes />
        {plans.length > 1 && (
          <Section size="l" title={t('plans.compare')}>
            <PlanCompare plans={plans} />
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
