import { useFormat } from '../../shop/format.ts';
import { useHref } from '../../shop/links.ts';
import { type SubscriptionItem, subscriptionName } from '../../shop/subscriptions.ts';
import { useText } from '../../shop/texts.ts';
import { Card, Cluster, Stack } from '../../ui/layout.tsx';
import { SummaryList } from '../../ui/summary-list.tsx';
import { SubscriptionAddress } from './subscription-address.tsx';
import { SubscriptionStatus } from './subscription-status.tsx';
import { Usage } from './usage.tsx';

/** One subscription of the list: state, address, place, when it renews, and how much is used (U33). */
export function SubscriptionCard({ subscription }: { subscription: SubscriptionItem }) {
  const t = useText();
  const href = useHref();
  const { date } = useFormat();
  const { id, startedAt, periodEnd, cancelAtPeriodEnd, status, keyCount, devices } = subscription;
  const ends = cancelAtPeriodEnd || status === 'expired';
  return (
    <Card as="article">
      <Stack>
        <Cluster justify="between">
          <h2>
            <a href={href(`/management/subscription/${id}`)}>{subscriptionName(subscription)}</a>
          </h2>
          <SubscriptionStatus subscription={subscription} />
        </Cluster>
        <SubscriptionAddress subscription={subscription} />
        <SummaryList
          compact
          flow="across"
          rows={[
            ...(periodEnd
              ? [{ term: t(ends ? 'subscription.ends' : 'subscription.renews'), value: date(periodEnd) }]
              : []),
            { term: t('keys.title'), value: t('subscription.keysOf', { count: keyCount, max: devices }) },
          ]}
        />
        {startedAt && <Usage subscription={subscription} />}
      </Stack>
    </Card>
  );
}
