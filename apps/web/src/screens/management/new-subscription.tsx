import { BackLink } from '@fixpoint/ui/back-link.tsx';
import { Page, Section, Stack } from '@fixpoint/ui/layout.tsx';
import { PlanChoice, PlansSkeleton } from '../../features/plans/plan-choice.tsx';
import { usePlans } from '../../shop/catalog.ts';
import { useHref } from '../../shop/links.ts';
import { LoadError } from '../../shop/load-error.tsx';
import { useText } from '../../shop/texts.ts';

/** Plans for a logged-in customer; the order screen follows. */
export function Screen() {
  const t = useText();
  const href = useHref();
  const { data, error, isPending, refetch } = usePlans();
  return (
    <Page>
      <Stack gap={2}>
        <BackLink href={href('/management/subscription')}>{t('subscription.all')}</BackLink>
        <Section level={1} title={t('subscriptions.new')} lead={t('subscriptions.chooseLead')}>
          {error && <LoadError error={error} onRetry={refetch} />}
          {isPending && <PlansSkeleton />}
          {data && <PlanChoice plans={data} />}
        </Section>
      </Stack>
    </Page>
  );
}
