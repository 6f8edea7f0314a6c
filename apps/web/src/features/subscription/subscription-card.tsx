import { LinkButton } from '@fixpoint/ui/button.tsx';
import { Card, Cluster, Stack } from '@fixpoint/ui/layout.tsx';
import { SummaryList } from '@fixpoint/ui/summary-list.tsx';
import { useHref } from '../../shop/links.ts';
import { type SubscriptionItem, subscriptionName } from '../../shop/subscriptions.ts';
import { useText } from '../../shop/texts.ts';
import { Connection } from './connection.tsx';
import { useNextPayment } from './next-payment.tsx';
import { SubscriptionAddress } from './subscription-address.tsx';
import { SubscriptionStatus } from './subscription-status.tsx';
import { useUsage } from './usage.tsx';
import { UsageDays } from './usage-days.tsx';

/**
 * A subscription in the list: state, address, connection, next payment, devices and usage.
 * @param props `quiet`: something else on the screen is the main action
 */
export function SubscriptionCard(props: {
  subscription: SubscriptionItem;
  large?: boolean;
  quiet?: boolean;
}) {
  const t = useText();
  const href = useHref();
  const { subscription, large, quiet } = props;
  const variant = quiet ? 'secondary' : 'primary';
  const { id, startedAt, keyCount, devices, allowedActions } = subscription;
  const payment = useNextPayment(subscription);
  const usage = useUsage(subscription);
  return (
    <Card as="article">
      <Stack>
        <Cluster justify="between">
          <h2>
            <a href={href(`/management/subscription/${id}`)}>{subscriptionName(subscription)}</a>
          </h2>
          <SubscriptionStatus subscription={subscription} />
        </Cluster>
        <Stack gap={2}>
          <SubscriptionAddress subscription={subscription} size={large ? 'l' : 'm'} />
          <Connection subscription={subscription} />
        </Stack>
        <SummaryList
          compact
          flow="across"
          rows={[
            ...payment,
            { term: t('devices.title'), value: t('subscription.keysOf', { count: keyCount, max: devices }) },
            ...(startedAt ? [usage] : []),
          ]}
        />
        {large && allowedActions.includes('reactivate') && (
          <p>
            <LinkButton variant={variant} href={href(`/order?again=${id}`)}>
              {t('renewal.again')}
            </LinkButton>
          </p>
        )}
        {large && startedAt && <UsageDays id={id} />}
        {large && keyCount === 0 && allowedActions.includes('addKey') && (
          <p>
            <LinkButton variant={variant} href={href(`/management/subscription/${id}`)}>
              {t('devices.add')}
            </LinkButton>
          </p>
        )}
      </Stack>
    </Card>
  );
}
