import { buttonClass } from '@fixpoint/ui/button.tsx';
import { EmptyState } from '@fixpoint/ui/empty-state.tsx';
import { Cluster, Page, Section, Stack } from '@fixpoint/ui/layout.tsx';
import { Skeleton } from '@fixpoint/ui/progress.tsx';
import { LastInvoice } from '../../features/billing/last-invoice.tsx';
import { NeedsCare } from '../../features/subscription/needs-care.tsx';
import { SubscriptionCard } from '../../features/subscription/subscription-card.tsx';
import { useHref } from '../../shop/links.ts';
import { LoadError } from '../../shop/load-error.tsx';
import { isDue, useSubscriptions } from '../../shop/subscriptions.ts';
import { useText } from '../../shop/texts.ts';

/** Number of subscriptions here; the list has them all. */
const SHOWN = 3;

/** First screen of the account: warnings, address and connection, next payment, last invoice. */
export function Screen() {
  const t = useText();
  const href = useHref();
  const { data, error, isPending, refetch } = useSubscriptions(1, { sort: 'soonest' });
  const shown = data?.items.slice(0, SHOWN) ?? [];
  return (
    <Page>
      <Stack gap={12}>
        <Section
          level={1}
          title={t('nav.overview')}
          actions={
            data &&
            data.total > SHOWN && <a href={href('/management/subscription')}>{t('subscription.all')}</a>
          }
        >
          {error && <LoadError error={error} onRetry={refetch} />}
          {isPending && <Skeleton lines={8} label={t('app.loading')} />}
          {data?.total === 0 && (
            <EmptyState
              title={t('subscriptions.empty.title')}
              action={
                <a
                  className={buttonClass({ variant: 'primary' })}
                  href={href('/management/subscription/new')}
                >
                  {t('subscriptions.empty.action')}
                </a>
              }
            >
              {t('subscriptions.empty.text')}
            </EmptyState>
          )}
          {data && data.total > 0 && (
            <Stack gap={6}>
              <NeedsCare subscriptions={data.items} />
              {shown.map(subscription => (
                <SubscriptionCard
                  key={subscription.id}
                  subscription={subscription}
                  large
                  quiet={data.items.some(isDue)}
                />
              ))}
            </Stack>
          )}
        </Section>
        <LastInvoice />
        <Section title={t('dashboard.shortcuts')}>
          <Cluster>
            <a className={buttonClass({})} href={href('/management/subscription/new')}>
              {t('subscriptions.new')}
            </a>
            <a className={buttonClass({})} href={href('/what-is-vpn#how-to')}>
              {t('footer.tutorial')}
            </a>
            <a className={buttonClass({})} href={href('/management/billing')}>
              {t('nav.billing')}
            </a>
            <a className={buttonClass({})} href={href('/management/my-account')}>
              {t('nav.account')}
            </a>
          </Cluster>
        </Section>
      </Stack>
    </Page>
  );
}
