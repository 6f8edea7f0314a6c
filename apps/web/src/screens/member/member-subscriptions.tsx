import { EmptyState } from '@fixpoint/ui/empty-state.tsx';
import { Card, Cluster, Page, Section, Stack } from '@fixpoint/ui/layout.tsx';
import { Skeleton } from '@fixpoint/ui/progress.tsx';
import { SummaryList } from '@fixpoint/ui/summary-list.tsx';
import { Connection } from '../../features/subscription/connection.tsx';
import { CopyAddress } from '../../features/subscription/subscription-address.tsx';
import { useHref } from '../../shop/links.ts';
import { LoadError } from '../../shop/load-error.tsx';
import { useMemberSubscriptions } from '../../shop/subscriptions.ts';
import { useText } from '../../shop/texts.ts';
import { MemberName, MemberStatus } from './member-name.tsx';
import { MemberSubscription } from './member-subscription.tsx';

/** The subscriptions in which a member has devices or may add some. A single one is shown at once. */
export function MemberSubscriptions() {
  const t = useText();
  const href = useHref();
  const { data, error, isPending, refetch } = useMemberSubscriptions();
  const [only, ...others] = data?.items ?? [];
  if (only && others.length === 0) return <MemberSubscription id={only.id} />;
  return (
    <Page>
      <Section level={1} title={t('subscriptions.title')}>
        {error && <LoadError error={error} onRetry={refetch} />}
        {isPending && <Skeleton lines={8} label={t('app.loading')} />}
        {data && !only && <EmptyState title={t('keys.empty.title')}>{t('team.member.none')}</EmptyState>}
        <Stack gap={6}>
          {data?.items.map(subscription => (
            <Card as="article" key={subscription.id}>
              <Stack>
                <Cluster justify="between">
                  <Cluster gap={1}>
                    <h2>
                      <a href={href(`/management/subscription/${subscription.id}`)}>
                        <MemberName subscription={subscription} />
                      </a>
                    </h2>
                    <CopyAddress subscription={subscription} />
                  </Cluster>
                  <MemberStatus subscription={subscription} />
                </Cluster>
                <Connection subscription={subscription} />
                <SummaryList
                  compact
                  flow="grid"
                  rows={[
                    {
                      term: t('devices.title'),
                      value: t('subscription.keysOf', {
                        count: subscription.keyCount,
                        max: subscription.devices,
                      }),
                    },
                  ]}
                />
              </Stack>
            </Card>
          ))}
        </Stack>
      </Section>
    </Page>
  );
}
