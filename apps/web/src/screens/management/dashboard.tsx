import { buttonClass } from '@fixpoint/ui/button.tsx';
import { EmptyState } from '@fixpoint/ui/empty-state.tsx';
import { Cluster, Page, Section, Stack } from '@fixpoint/ui/layout.tsx';
import { Skeleton } from '@fixpoint/ui/progress.tsx';
import { LastInvoice } from '../../features/billing/last-invoice.tsx';
import { firstDue, NeedsCare } from '../../features/subscription/needs-care.tsx';
import { hasNextStep, SubscriptionCard } from '../../features/subscription/subscription-card.tsx';
import { useCards, useInvoices } from '../../shop/billing.ts';
import { useHref } from '../../shop/links.ts';
import { LoadError } from '../../shop/load-error.tsx';
import { useSubscriptions } from '../../shop/subscriptions.ts';
import { useText } from '../../shop/texts.ts';

/** Number of subscriptions here; the list has them all. */
const SHOWN = 3;

/** First screen of the account: warnings, address and connection, next payment, last invoice. */
export function Screen() {
  const t = useText();
  const href = useHref();
  const { data, error, isPending, refetch } = useSubscriptions(1, { sort: 'soonest' });
  const cards = useCards();
  const invoices = useInvoices(1);
  // Together, so that nothing moves when one of them comes later.
  const waits = isPending || cards.isPending || invoices.isPending;
  const shown = data?.items.slice(0, SHOWN) ?? [];
  // One main action a screen: what is due, else the first card that has a next step.
  const asks = firstDue(data?.items ?? []) ? undefined : shown.find(hasNextStep);
  return (
    <Page>
      <Stack gap={12}>
        <Section
          level={1}
          title={t('nav.overview')}
          lead={
            data && data.total > SHOWN && t('subscriptions.shown', { count: shown.length, total: data.total })
          }
          actions={
            data &&
            data.total > SHOWN && <a href={href('/management/subscription')}>{t('subscription.all')}</a>
          }
        >
          {error && <LoadError error={error} onRetry={refetch} />}
          {waits && <Skeleton lines={8} label={t('app.loading')} />}
          {!waits && data?.total === 0 && (
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
          {!waits && data && data.total > 0 && (
            <Stack gap={6}>
              <NeedsCare subscriptions={data.items} />
              {shown.map(subscription => (
                <SubscriptionCard
                  key={subscription.id}
                  subscription={subscription}
                  large
                  asksNow={subscription === asks}
                />
              ))}
            </Stack>
          )}
        </Section>
        {!waits && <LastInvoice />}
        {!waits && (
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
        )}
      </Stack>
    </Page>
  );
}
