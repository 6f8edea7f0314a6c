import { Alert } from '@fixpoint/ui/alert.tsx';
import { Cluster, Page, Section, Stack } from '@fixpoint/ui/layout.tsx';
import { Skeleton } from '@fixpoint/ui/progress.tsx';
import { KeySection } from '../../features/keys/key-section.tsx';
import { Connection } from '../../features/subscription/connection.tsx';
import { CopyAddress, SubscriptionAddress } from '../../features/subscription/subscription-address.tsx';
import { LoadError } from '../../shop/load-error.tsx';
import { useMemberSubscription } from '../../shop/subscriptions.ts';
import { useText } from '../../shop/texts.ts';
import { MemberName, MemberStatus } from './member-name.tsx';

/** One subscription as a member sees it: its address, whether they are connected, and their own devices. */
export function MemberSubscription({ id }: { id: string }) {
  const t = useText();
  const { data, error, isPending, refetch } = useMemberSubscription(id);
  const isRunning = data && data.status !== 'expired';
  const mayAdd = data?.status === 'active' && !data.suspended;
  return (
    <Page>
      <Stack gap={12}>
        <Section
          level={1}
          title={data ? <MemberName subscription={data} /> : t('subscription.title')}
          actions={data && <MemberStatus subscription={data} />}
        >
          {error && <LoadError error={error} onRetry={refetch} />}
          {isPending && <Skeleton lines={6} label={t('app.loading')} />}
          {data && (
            <Stack>
              <Cluster>
                <SubscriptionAddress subscription={data} size="l" />
                <CopyAddress subscription={data} />
              </Cluster>
              <Connection subscription={data} />
              {data.suspended && <Alert type="warning">{t('subscription.suspended')}</Alert>}
              {!data.hostReachable && data.address && isRunning && (
                <Alert type="warning">{t('subscription.hostUnreachable')}</Alert>
              )}
            </Stack>
          )}
        </Section>
        {isRunning && (
          <KeySection
            subscription={{ ...data, allowedActions: mayAdd ? ['addKey'] : [] }}
            full={t('team.member.full')}
          />
        )}
      </Stack>
    </Page>
  );
}
