import { config } from '../../server/config.ts';
import { useFormat } from '../../shop/format.ts';
import { useHref } from '../../shop/links.ts';
import { LoadError } from '../../shop/load-error.tsx';
import { planName } from '../../shop/plan-name.ts';
import { subscriptionName, subscriptionRegion, useSubscription } from '../../shop/subscriptions.ts';
import { type TextKey, useText } from '../../shop/texts.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { buttonClass } from '../../ui/button.tsx';
import { Page, Section, Stack } from '../../ui/layout.tsx';
import { Skeleton } from '../../ui/progress.tsx';
import { SummaryList } from '../../ui/summary-list.tsx';

/** What a subscription has today and how support changes it: the frame of bandwidth control and upgrade. */
export function PlanChange(props: { id: string; title: TextKey; lead: TextKey; change: TextKey }) {
  const t = useText();
  const href = useHref();
  const { money, number } = useFormat();
  const { SUPPORT_EMAIL: email } = config();
  const { data, error, isPending, refetch } = useSubscription(props.id);
  const subject = encodeURIComponent(`${t(props.title)} ${props.id}`);
  return (
    <Page width="text">
      <Stack gap={2}>
        <BackLink href={href(`/management/subscription/${props.id}`)}>
          {data ? subscriptionName(data) : t('subscription.title')}
        </BackLink>
        <Section level={1} title={t(props.title)} lead={t(props.lead)}>
          {error && <LoadError error={error} onRetry={refetch} />}
          {isPending && <Skeleton lines={6} label={t('app.loading')} />}
          {data && (
            <Stack gap={8}>
              <SummaryList
                rows={[
                  { term: t('subscription.plan'), value: planName(data.planId) },
                  { term: t('subscription.region'), value: subscriptionRegion(data) },
                  {
                    term: t('plans.compare.rate'),
                    value: t('subscription.rate.value', { rate: number(data.rateMbit) }),
                  },
                  {
                    term: t('keys.title'),
                    value: t('subscription.keysOf', { count: data.keyCount, max: data.devices }),
                  },
                  {
                    term: t('subscription.renewal'),
                    value: money(data.renewal.price, data.renewal.currency),
                  },
                  { term: t('subscription.id'), value: <span className="mono">{data.id}</span> },
                ]}
              />
              <p>{t(props.change, { email })}</p>
              <p>
                <a
                  className={buttonClass({ variant: 'primary' })}
                  href={`mailto:${email}?subject=${subject}`}
                >
                  {t('subscription.writeUs')}
                </a>
              </p>
            </Stack>
          )}
        </Section>
      </Stack>
    </Page>
  );
}
