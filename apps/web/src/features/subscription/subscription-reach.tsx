import { Alert } from '@fixpoint/ui/alert.tsx';
import { Cluster, Stack } from '@fixpoint/ui/layout.tsx';
import type { ReactNode } from 'react';
import type { SubscriptionDetail } from '../../shop/subscriptions.ts';
import { useText } from '../../shop/texts.ts';
import { Connection } from './connection.tsx';
import { SubscriptionAddress } from './subscription-address.tsx';

type Reached = Pick<
  SubscriptionDetail,
  'id' | 'address' | 'addressHeldUntil' | 'label' | 'status' | 'suspended' | 'hostReachable'
>;

/**
 * The address of a subscription, whether this page is connected through it, and what keeps everybody from connecting.
 * @param props.children actions beside the address
 */
export function SubscriptionReach(props: { subscription: Reached; children?: ReactNode }) {
  const t = useText();
  const { subscription, children } = props;
  const { address, status, suspended, hostReachable } = subscription;
  return (
    <Stack>
      <Cluster>
        <SubscriptionAddress subscription={subscription} size="l" />
        {children}
      </Cluster>
      <Connection subscription={subscription} />
      {suspended && <Alert type="warning">{t('subscription.suspended')}</Alert>}
      {!hostReachable && address && status !== 'expired' && (
        <Alert type="warning">{t('subscription.hostUnreachable')}</Alert>
      )}
    </Stack>
  );
}
