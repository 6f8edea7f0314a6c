import { buttonClass } from '@fixpoint/ui/button.tsx';
import { EmptyState } from '@fixpoint/ui/empty-state.tsx';
import { Cluster, Page, Section, Stack } from '@fixpoint/ui/layout.tsx';
import { Skeleton } from '@fixpoint/ui/progress.tsx';
import { SubscriptionCard } from '../../features/subscription/subscription-card.tsx';
import {
  SubscriptionFilter,
  subscriptionSorts,
  subscriptionStatuses,
} from '../../features/subscription/subscription-filter.tsx';
import { SubscriptionTable } from '../../features/subscription/subscription-table.tsx';
import { useHref } from '../../shop/links.ts';
import { useListAddress } from '../../shop/list-address.ts';
import { ListPages, ListRange } from '../../shop/list-pages.tsx';
import { LoadError } from '../../shop/load-error.tsx';
import { type SubscriptionChoice, useSubscriptions } from '../../shop/subscriptions.ts';
import { useText } from '../../shop/texts.ts';

/** From so many on they are rows of a table; fewer are cards with more of each. */
const TABLE_FROM = 6;

export function Screen() {
  const t = useText();
  const href = useHref();
  const { page, oneOf, text, change, turn } = useListAddress();
  const choice: SubscriptionChoice = {
    status: oneOf('status', subscriptionStatuses),
    sort: oneOf('sort', subscriptionSorts) ?? 'newest',
    search: text('search'),
  };
  const { data, error, isPending, isPlaceholderData, refetch } = useSubscriptions(page, choice);
  const none = data?.owned === 0;
  const long = data !== undefined && data.owned >= TABLE_FROM;
  const plans = (
    <a
      className={buttonClass({ variant: none ? 'primary' : 'secondary' })}
      href={href('/management/subscription/new')}
    >
      {t(none ? 'subscriptions.empty.action' : 'subscriptions.new')}
    </a>
  );
  const addresses = <a href={href('/management/addresses')}>{t('allowList.title')}</a>;
  return (
    <Page>
      <Section
        level={1}
        title={t('subscriptions.title')}
        // Shown while the list loads too: appearing with it, they would push it down.
        actions={
          !none && (
            <Cluster>
              {plans}
              {addresses}
            </Cluster>
          )
        }
      >
        {!none && (
          <SubscriptionFilter long={long || choice.search !== undefined} choice={choice} onChoice={change} />
        )}
        {error && <LoadError error={error} onRetry={refetch} />}
        {isPending && <Skeleton lines={8} label={t('app.loading')} />}
        {none && (
          <EmptyState title={t('subscriptions.empty.title')} action={plans}>
            {t('subscriptions.empty.text')}
          </EmptyState>
        )}
        {!none && <ListRange page={page} total={isPlaceholderData ? undefined : data?.total} />}
        {data?.total === 0 && !none && <p>{t('list.none')}</p>}
        {data && data.total > 0 && (
          <Stack gap={6}>
            {long ? (
              <SubscriptionTable subscriptions={data.items} busy={isPlaceholderData} />
            ) : (
              data.items.map(subscription => (
                <SubscriptionCard key={subscription.id} subscription={subscription} />
              ))
            )}
            <ListPages nav="subscriptions.pages" page={page} total={data.total} onPage={turn} />
          </Stack>
        )}
      </Section>
    </Page>
  );
}
