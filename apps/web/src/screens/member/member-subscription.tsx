import { Page, Section, Stack } from '@fixpoint/ui/layout.tsx';
import { Skeleton } from '@fixpoint/ui/progress.tsx';
import { KeySection } from '../../features/keys/key-section.tsx';
import { SubscriptionReach } from '../../features/subscription/subscription-reach.tsx';
import { LoadError } from '../../shop/load-error.tsx';
import { useMemberSubscription } from '../../shop/subscriptions.ts';
import { useText } from '../../shop/texts.ts';
import { MemberName, MemberStatus } from './member-name.tsx';

/** One subscription as a member sees it: its address, whether they are connected, and their own devices. */
export function MemberSubscription({ id }: { id: string }) {
  const t = useText();
  const { data, error, isPending, refetch } = useMemberSubscription(id);
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
          {data && <SubscriptionReach subscription={data} />}
        </Section>
        {data && data.status !== 'expired' && (
          <KeySection
            subscription={{ ...data, allowedActions: mayAdd ? ['addKey'] : [] }}
            full={t('team.member.full')}
          />
        )}
      </Stack>
    </Page>
  );
}
