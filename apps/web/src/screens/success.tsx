import { useState } from 'react';
import { Navigate } from 'react-router';
import { recallOrder } from '../features/checkout/order-record.ts';
import { SetupSteps } from '../features/checkout/setup-steps.tsx';
import { type OrderProgress, useOrderProgress } from '../features/checkout/use-order-progress.ts';
import { outcomeOf } from '../features/checkout/watch-order.ts';
import { useLoggedIn } from '../server/shop-state.ts';
import { usePlaces } from '../shop/catalog.ts';
import { useFormat } from '../shop/format.ts';
import { useHref, usePath, useQueryParams } from '../shop/links.ts';
import { LoadError } from '../shop/load-error.tsx';
import { planName } from '../shop/plan-name.ts';
import { regionName } from '../shop/region.ts';
import { useText } from '../shop/texts.ts';
import { buttonClass } from '../ui/button.tsx';
import { Page, Section, Stack } from '../ui/layout.tsx';
import { Loading } from '../ui/progress.tsx';
import { SummaryList } from '../ui/summary-list.tsx';

/** `/success?order=`: can be loaded again; shows how far the order is and the one next step (U32, U66). */
export function Screen() {
  const t = useText();
  const path = usePath();
  const params = useQueryParams();
  const [record] = useState(() => recallOrder(params.get('order')));
  const order = useOrderProgress(record);
  const outcome = order.data && outcomeOf(order.data.status);
  if (outcome && outcome !== 'success' && order.data?.status !== 'refunded') {
    return <Navigate to={`${path('/order')}?order=${order.data?.reference}`} replace />;
  }
  return (
    <Page width="text">
      <Section level={1} title={t(order.data ? 'success.title' : 'success.titlePlain')}>
        {!record && <p>{t('success.unknown')}</p>}
        {order.error && !order.data && <LoadError error={order.error} onRetry={order.refetch} />}
        {order.isLoading && <Loading label={t('app.loading')} />}
        {order.data && (
          <Stack gap={16}>
            <SetupSteps order={order.data} />
            <NextStep order={order.data} email={record?.email} />
            <Facts order={order.data} />
          </Stack>
        )}
      </Section>
    </Page>
  );
}

function NextStep({ order, email }: { order: OrderProgress; email: string | undefined }) {
  const t = useText();
  const href = useHref();
  const loggedIn = useLoggedIn();
  if (loggedIn && order.subscription) {
    return (
      <Section title={t('success.next')}>
        <p>{t('success.customer.text')}</p>
        <p>
          <a
            className={buttonClass({ variant: 'primary' })}
            href={href(`/management/subscription/${order.subscription.id}`)}
          >
            {t('success.customer.action')}
          </a>
        </p>
      </Section>
    );
  }
  if (loggedIn) return null;
  const address = email ?? order.email;
  return (
    <Section title={t('success.guest.title')}>
      <p>{address ? t('success.guest.text', { email: address }) : t('success.guest.textPlain')}</p>
      <p>
        <a className={buttonClass({ variant: 'primary' })} href={href('/what-is-vpn#how-to')}>
          {t('success.guest.action')}
        </a>
      </p>
    </Section>
  );
}

function Facts({ order }: { order: OrderProgress }) {
  const t = useText();
  const { money } = useFormat();
  const { product, total } = order;
  const places = usePlaces();
  const region = places.data?.regions.find(({ id }) => id === product.regionId);
  return (
    <Section title={t('order.title')}>
      <SummaryList
        rows={[
          { term: t('order.summary.plan'), value: planName(product.planId) },
          { term: t('order.summary.cycle'), value: t(`plans.cycle.${product.cycleCount}`) },
          { term: t('order.summary.region'), value: region ? regionName(region) : '\u00a0' },
          { term: t('order.summary.total'), value: money(total.price, total.currency), strong: true },
        ]}
      />
    </Section>
  );
}
