import { buttonClass } from '@fixpoint/ui/button.tsx';
import { EmptyState } from '@fixpoint/ui/empty-state.tsx';
import { Page, Section, Stack } from '@fixpoint/ui/layout.tsx';
import { Skeleton } from '@fixpoint/ui/progress.tsx';
import { useState } from 'react';
import { SubscriptionCard } from '../../features/subscription/subscription-card.tsx';
import { SubscriptionFilter } from '../../features/subscription/subscription-filter.tsx';
import { useHref } from '../../shop/links.ts';
import { ListPages } from '../../shop/list-pages.tsx';
import { LoadError } from '../../shop/load-error.tsx';
import { type SubscriptionChoice, useSubscriptions } from '../../shop/subscriptions.ts';
import { useText } from '../../shop/texts.ts';

export function Screen() {
  const t = useText();
  const href = useHref();
  const [page, setPage] = useState(1);
  const [choice, setChoice] = useState<SubscriptionChoice>({ sort: 'newest' });
  const { data, error, isPending, refetch } = useSubscriptions(page, choice);
  const choose = (wanted: SubscriptionChoice) => {
    setChoice(wanted);
    setPage(1);
  };
  const none = data?.total === 0 && !choice.status;
  const plans = (
    <a
      className={buttonClass({ variant: none ? 'primary' : 'secondary' })}
      href={href('/management/subscription/new')}
    >
      {t(none ? 'subscriptions.empty.action' : 'subscriptions.new')}
    </a>
  );
  return (
    <Page>
      <Section level={1} title={t('subscriptions.title')} actions={data && !none && plans}>
        {!none && <SubscriptionFilter choice={choice} onChoice={choose} />}
        {error && <LoadError error={error} onRetry={refetch} />}
        {isPending && <Skeleton lines={8} label={t('app.loading')} />}
        {none && (
          <EmptyState title={t('subscriptions.empty.title')} action={plans}>
            {t('subscriptions.empty.text')}
          </EmptyState>
        )}
        {data?.total === 0 && !none && <p>{t('subscriptions.filter.none')}</p>}
        {data && (
          <Stack gap={6}>
            {data.items.map(subscription => (
              <SubscriptionCard key={subscription.id} subscription={subscription} />
            ))}
            <ListPages nav="subscriptions.pages" page={page} total={data.total} onPage={setPage} />
          </Stack>
        )}
      </Section>
    </Page>
  );
}
