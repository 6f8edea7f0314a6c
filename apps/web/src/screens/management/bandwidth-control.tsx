import { BackLink } from '@fixpoint/ui/back-link.tsx';
import { Page, Section, Stack } from '@fixpoint/ui/layout.tsx';
import { Skeleton } from '@fixpoint/ui/progress.tsx';
import { SummaryList } from '@fixpoint/ui/summary-list.tsx';
import { useParams } from 'react-router';
import { LimitsForm } from '../../features/subscription/limits-form.tsx';
import { Measure } from '../../features/subscription/measure.tsx';
import { SubscriptionName } from '../../features/subscription/subscription-name.tsx';
import { Usage } from '../../features/subscription/usage.tsx';
import { UsageHistory } from '../../features/subscription/usage-history.tsx';
import { useBandwidth } from '../../shop/bandwidth.ts';
import { useFormat } from '../../shop/format.ts';
import { useHref } from '../../shop/links.ts';
import { LoadError } from '../../shop/load-error.tsx';
import { useScreenTitle } from '../../shop/screen-title.ts';
import { subscriptionName, useSubscription } from '../../shop/subscriptions.ts';
import { useText } from '../../shop/texts.ts';

/** Bandwidth of a subscription: limits of its keys, and usage. */
export function Screen() {
  const t = useText();
  const href = useHref();
  const { number } = useFormat();
  const { id = '' } = useParams();
  const subscription = useSubscription(id);
  const bandwidth = useBandwidth(id);
  const error = subscription.error ?? bandwidth.error;
  const both = subscription.data && bandwidth.data && { of: subscription.data, line: bandwidth.data };
  const name = subscription.data && subscriptionName(subscription.data);
  useScreenTitle(name && `${t('bandwidth.title')}, ${name}`);
  const refetch = () => Promise.all([subscription.refetch(), bandwidth.refetch()]);
  return (
    <Page>
      <Stack gap={12}>
        <Stack gap={2}>
          <BackLink href={href(`/management/subscription/${id}`)}>
            <SubscriptionName subscription={subscription.data} />
          </BackLink>
          <Section level={1} title={t('bandwidth.title')} lead={t('bandwidth.lead')}>
            {error && <LoadError error={error} onRetry={refetch} />}
            {!both && !error && <Skeleton lines={6} label={t('app.loading')} />}
            {both && (
              <SummaryList
                rows={[
                  {
                    term: t('plans.compare.rate'),
                    value: t('subscription.rate.value', { rate: number(both.line.rateMbit) }),
                  },
                ]}
              />
            )}
            {both && <Measure subscription={both.of} />}
          </Section>
        </Stack>
        {both?.of.allowedActions.includes('adjustBandwidth') && (
          <Section title={t('bandwidth.limits.title')} lead={t('bandwidth.limits.lead')}>
            {both.line.keys.length === 0 ? (
              <p>{t('keys.empty.text')}</p>
            ) : (
              <LimitsForm
                // Adding or deleting a key resets the form.
                key={both.line.keys.map(key => key.id).join()}
                id={id}
                bandwidth={both.line}
              />
            )}
          </Section>
        )}
        {both && (
          <Section title={t('bandwidth.usage.title')} lead={t('bandwidth.usage.lead')}>
            <Stack gap={8}>
              <Usage subscription={both.of} />
              <UsageHistory bandwidth={both.line} isShared={both.of.people > 1} />
            </Stack>
          </Section>
        )}
      </Stack>
    </Page>
  );
}
