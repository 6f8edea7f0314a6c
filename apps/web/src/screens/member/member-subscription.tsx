import { Page, Section, Stack } from '@fixpoint/ui/layout.tsx';
import { Skeleton } from '@fixpoint/ui/progress.tsx';
import { FileButton } from '../../features/keys/file-button.tsx';
import { KeySection } from '../../features/keys/key-section.tsx';
import { Diagnosis } from '../../features/subscription/diagnosis.tsx';
import { CopyAddress } from '../../features/subscription/subscription-address.tsx';
import { SubscriptionReach } from '../../features/subscription/subscription-reach.tsx';
import { LoadError } from '../../shop/load-error.tsx';
import { useMemberSubscription, type WithDevices } from '../../shop/subscriptions.ts';
import { useText } from '../../shop/texts.ts';
import { MemberName, MemberStatus } from './member-name.tsx';
import { MemberUsage } from './member-usage.tsx';

/** One subscription as a member sees it: its address, whether they are connected, their own devices and what these used. */
export function MemberSubscription({ id }: { id: string }) {
  const t = useText();
  const { data, error, isPending, refetch } = useMemberSubscription(id);
  const mayAdd = data?.status === 'active' && !data.suspended;
  const subscription: WithDevices | undefined = data && {
    ...data,
    allowedActions: mayAdd ? ['addKey'] : [],
  };
  return (
    <Page>
      <Stack gap={12}>
        <Section
          level={1}
          title={
            data ? (
              <>
                <MemberName subscription={data} /> <CopyAddress subscription={data} />
              </>
            ) : (
              t('subscription.title')
            )
          }
          actions={data && <MemberStatus subscription={data} />}
        >
          {error && <LoadError error={error} onRetry={refetch} />}
          {isPending && <Skeleton lines={6} label={t('app.loading')} />}
          {data && <SubscriptionReach subscription={data} />}
        </Section>
        {subscription && subscription.status !== 'expired' && (
          <>
            <KeySection subscription={subscription} full={t('team.member.full')} />
            <Diagnosis
              subscription={subscription}
              file={(key, { smallPackets }) => (
                <FileButton key={key.id} subscriptionId={id} of={key} smallPackets={smallPackets} />
              )}
              mayRestart={false}
            />
          </>
        )}
        {data && <MemberUsage id={id} />}
      </Stack>
    </Page>
  );
}
