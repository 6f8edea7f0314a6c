import { Alert } from '@fixpoint/ui/alert.tsx';
import { BackLink } from '@fixpoint/ui/back-link.tsx';
import { Cluster, Page, Section, Stack } from '@fixpoint/ui/layout.tsx';
import { Skeleton } from '@fixpoint/ui/progress.tsx';
import { useParams } from 'react-router';
import { SubscriptionInvoices } from '../../features/billing/subscription-invoices.tsx';
import { FileButton } from '../../features/keys/file-button.tsx';
import { KeySection } from '../../features/keys/key-section.tsx';
import { Connection } from '../../features/subscription/connection.tsx';
import { Diagnosis } from '../../features/subscription/diagnosis.tsx';
import { HistorySection } from '../../features/subscription/history-section.tsx';
import { PortForward } from '../../features/subscription/port-forward.tsx';
import { RenewalSection } from '../../features/subscription/renewal-section.tsx';
import { SubscriptionAddress } from '../../features/subscription/subscription-address.tsx';
import { SubscriptionFacts } from '../../features/subscription/subscription-facts.tsx';
import { SubscriptionStatus } from '../../features/subscription/subscription-status.tsx';
import { useHref } from '../../shop/links.ts';
import { LoadError } from '../../shop/load-error.tsx';
import { subscriptionName, useSubscription } from '../../shop/subscriptions.ts';
import { useText } from '../../shop/texts.ts';

/** One subscription: address, keys, diagnosis, facts and renewal. */
export function Screen() {
  const t = useText();
  const href = useHref();
  const { id = '' } = useParams();
  const { data, error, isPending, refetch } = useSubscription(id);
  // Emails lead here to pay or to renew, so that comes first.
  const paysFirst = data && (data.openInvoice || data.status === 'expired');
  return (
    <Page>
      <Stack gap={12}>
        <Stack gap={2}>
          <BackLink href={href('/management/subscription')}>{t('subscription.all')}</BackLink>
          <Section level={1} title={data ? subscriptionName(data) : t('subscription.title')}>
            {error && <LoadError error={error} onRetry={refetch} />}
            {isPending && <Skeleton lines={6} label={t('app.loading')} />}
            {data && (
              <Stack>
                <Cluster>
                  <SubscriptionStatus subscription={data} />
                </Cluster>
                <SubscriptionAddress subscription={data} size="l" />
                <Connection subscription={data} />
                {data.suspended && <Alert type="warning">{t('subscription.suspended')}</Alert>}
                {!data.hostReachable && data.address && data.status !== 'expired' && (
                  <Alert type="warning">{t('subscription.hostUnreachable')}</Alert>
                )}
              </Stack>
            )}
          </Section>
        </Stack>
        {data && (
          <>
            {paysFirst && <RenewalSection subscription={data} />}
            <KeySection subscription={data} />
            <Diagnosis
              subscription={data}
              file={(key, { smallPackets }) => (
                <FileButton key={key.id} subscriptionId={data.id} of={key} smallPackets={smallPackets} />
              )}
            />
            <PortForward subscription={data} />
            <SubscriptionFacts subscription={data} />
            <HistorySection subscription={data} />
            <SubscriptionInvoices subscriptionId={id} />
            {!paysFirst && <RenewalSection subscription={data} />}
          </>
        )}
      </Stack>
    </Page>
  );
}
