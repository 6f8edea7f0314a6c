import { LinkButton } from '@fixpoint/ui/button.tsx';
import { Card, Cluster, Stack } from '@fixpoint/ui/layout.tsx';
import { SummaryList } from '@fixpoint/ui/summary-list.tsx';
import { useHref } from '../../shop/links.ts';
import { type SubscriptionItem, subscriptionKind, subscriptionName } from '../../shop/subscriptions.ts';
import { useText } from '../../shop/texts.ts';
import { Connection } from './connection.tsx';
import { useNextPayment } from './next-payment.tsx';
import { CopyAddress, SubscriptionAddress } from './subscription-address.tsx';
import { SubscriptionStatus } from './subscription-status.tsx';
import { useUsage } from './usage.tsx';
import { UsageDays } from './usage-days.tsx';

/** Whether the card has a button: to buy it again, or to add the first device. */
export const hasNextStep = ({ allowedActions, keyCount }: SubscriptionItem): boolean =>
  allowedActions.includes('reactivate') || (keyCount === 0 && allowedActions.includes('addKey'));

/**
 * A subscription in the list: state, address, connection, next payment, devices and usage.
 * `asksNow`: its next step is the main one of the screen.
 */
export function SubscriptionCard(props: {
  subscription: SubscriptionItem;
  large?: boolean;
  asksNow?: boolean;
}) {
  const t = useText();
  const href = useHref();
  const { subscription, large, asksNow } = props;
  const variant = asksNow ? 'primary' : 'secondary';
  const name = subscriptionName(subscription);
  const kind = subscriptionKind(subscription);
  const { id, startedAt, keyCount, devices, allowedActions } = subscription;
  const describedBy = `of-${id}`;
  const payment = useNextPayment(subscription);
  const usage = useUsage(subscription);
  return (
    <Card as="article">
      <Stack>
        <Cluster justify="between">
          <Cluster gap={1}>
            <h2 id={describedBy}>
              <a href={href(`/management/subscription/${id}`)}>
                <span translate="no">{name}</span>
                {kind !== name && (
                  <>
                    {' '}
                    <small className="muted">{kind}</small>
                  </>
                )}
              </a>
            </h2>
            <CopyAddress subscription={subscription} />
          </Cluster>
          <SubscriptionStatus subscription={subscription} />
        </Cluster>
        <Stack gap={2}>
          <SubscriptionAddress subscription={subscription} size={large ? 'l' : 'm'} />
          <Connection subscription={subscription} />
        </Stack>
        <SummaryList
          compact
          flow="grid"
          rows={[
            ...payment,
            { term: t('devices.title'), value: t('subscription.keysOf', { count: keyCount, max: devices }) },
            ...(startedAt ? [usage] : []),
          ]}
        />
        {large && allowedActions.includes('reactivate') && (
          <p>
            <LinkButton variant={variant} aria-describedby={describedBy} href={href(`/order?again=${id}`)}>
              {t('renewal.again')}
            </LinkButton>
          </p>
        )}
        {large && startedAt && <UsageDays id={id} />}
        {large && keyCount === 0 && allowedActions.includes('addKey') && (
          <p>
            <LinkButton
              variant={variant}
              aria-describedby={describedBy}
              href={href(`/management/subscription/${id}#keys`)}
            >
              {t('devices.add')}
            </LinkButton>
          </p>
        )}
      </Stack>
    </Card>
  );
}
