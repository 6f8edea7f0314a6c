import { BackLink } from '@fixpoint/ui/back-link.tsx';
import { Page, Section, Stack } from '@fixpoint/ui/layout.tsx';
import { Skeleton } from '@fixpoint/ui/progress.tsx';
import { useParams } from 'react-router';
import { SubscriptionInvoices } from '../../features/billing/subscription-invoices.tsx';
import { FileButton } from '../../features/keys/file-button.tsx';
import { KeySection } from '../../features/keys/key-section.tsx';
import { Diagnosis } from '../../features/subscription/diagnosis.tsx';
import { HistorySection } from '../../features/subscription/history-section.tsx';
import { PortForward } from '../../features/subscription/port-forward.tsx';
import { Rename } from '../../features/subscription/rename.tsx';
import { RenewalSection } from '../../features/subscription/renewal-section.tsx';
import { CopyAddress } from '../../features/subscription/subscription-address.tsx';
import { SubscriptionFacts } from '../../features/subscription/subscription-facts.tsx';
import { SubscriptionName } from '../../features/subscription/subscription-name.tsx';
import { SubscriptionReach } from '../../features/subscription/subscription-reach.tsx';
import { SubscriptionStatus } from '../../features/subscription/subscription-status.tsx';
import { LazySubscriptionPeople } from '../../features/team/lazy-subscription-people.tsx';
import { useHref } from '../../shop/links.ts';
import { LoadError } from '../../shop/load-error.tsx';
import { useScreenTitle } from '../../shop/screen-title.ts';
import {
  type SubscriptionDetail,
  subscriptionKind,
  subscriptionName,
  useSubscription,
} from '../../shop/subscriptions.ts';
import { useText } from '../../shop/texts.ts';

/** One subscription: name, address and renewal, then devices, diagnosis, facts and payments. */
export function Screen() {
  const t = useText();
  const href = useHref();
  const { id = '' } = useParams();
  const { data, error, isPending, refetch } = useSubscription(id);
  const name = data && subscriptionName(data);
  const kind = data && subscriptionKind(data);
  useScreenTitle(name && `${t('subscription.title')} ${name}`);
  return (
    <Page>
      <Stack gap={12}>
        <Stack gap={2}>
          <BackLink href={href('/management/subscription')}>{t('subscription.all')}</BackLink>
          <Section
            level={1}
            title={<SubscriptionName subscription={data} />}
            lead={kind !== name && kind}
            actions={data && <SubscriptionStatus subscription={data} />}
          >
            {error && <LoadError error={error} onRetry={refetch} />}
            {isPending && <Skeleton lines={6} label={t('app.loading')} />}
            {data && (
              <SubscriptionReach subscription={data}>
                <CopyAddress subscription={data} />
                <Rename subscription={data} />
              </SubscriptionReach>
            )}
          </Section>
        </Stack>
        {data && (
          <>
            <RenewalSection subscription={data} />
            {data.status !== 'expired' && <Running subscription={data} />}
            <SubscriptionFacts subscription={data} />
            <HistorySection subscription={data} />
            <SubscriptionInvoices subscriptionId={id} />
          </>
        )}
      </Stack>
    </Page>
  );
}

/** What makes sense until the subscription ends. */
function Running({ subscription }: { subscription: SubscriptionDetail }) {
  return (
    <>
      <KeySection subscription={subscription} />
      <LazySubscriptionPeople subscription={subscription} />
      <Diagnosis
        subscription={subscription}
        // Its user alone gets the file of a device.
        file={(key, { smallPackets }) =>
          key.user ? null : (
            <FileButton key={key.id} subscriptionId={subscription.id} of={key} smallPackets={smallPackets} />
          )
        }
        mayRestart
      />
      <PortForward subscription={subscription} />
    </>
  );
}
