import { BackLink } from '@fixpoint/ui/back-link.tsx';
import { buttonClass } from '@fixpoint/ui/button.tsx';
import { Page, Section, Stack } from '@fixpoint/ui/layout.tsx';
import { Skeleton } from '@fixpoint/ui/progress.tsx';
import { useParams } from 'react-router';
import { PlanChooser } from '../../features/subscription/plan-chooser.tsx';
import { SubscriptionName } from '../../features/subscription/subscription-name.tsx';
import { usePlansIn } from '../../shop/catalog.ts';
import { useHref } from '../../shop/links.ts';
import { LoadError } from '../../shop/load-error.tsx';
import { useScreenTitle } from '../../shop/screen-title.ts';
import { subscriptionName, useSubscription } from '../../shop/subscriptions.ts';
import { useText } from '../../shop/texts.ts';

/** Change of plan: shows costs and consequences before anything is done. */
export function Screen() {
  const t = useText();
  const href = useHref();
  const { id = '' } = useParams();
  const subscription = useSubscription(id);
  const plans = usePlansIn(subscription.data?.renewal.currency);
  const failed = [subscription, plans].find(query => query.error);
  const { data } = subscription;
  useScreenTitle(data && `${t('upgrade.title')}, ${subscriptionName(data)}`);
  return (
    <Page width="text">
      <Stack gap={12}>
        <Stack gap={2}>
          <BackLink href={href(`/management/subscription/${id}`)}>
            <SubscriptionName subscription={data} />
          </BackLink>
          <Section level={1} title={t('upgrade.title')} lead={t('upgrade.lead')}>
            {failed && <LoadError error={failed.error} onRetry={failed.refetch} />}
            {!failed && !(data && plans.data) && <Skeleton lines={6} label={t('app.loading')} />}
            {data && plans.data && <PlanChooser subscription={data} plans={plans.data.plans} />}
          </Section>
        </Stack>
        {data?.allowedActions.includes('replace') && (
          <Section title={t('upgrade.elsewhere')} lead={t('upgrade.elsewhere.lead')}>
            <p>
              <a
                className={buttonClass()}
                href={href(`/order?replace=${id}&plan=${data.planId}&cycle=${data.cycleCount}`)}
              >
                {t('upgrade.elsewhere.choose')}
              </a>
            </p>
          </Section>
        )}
      </Stack>
    </Page>
  );
}
