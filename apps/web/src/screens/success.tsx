import { renewalSentence } from '@fixpoint/texts/renewal-sentence.ts';
import { Alert } from '@fixpoint/ui/alert.tsx';
import { buttonClass } from '@fixpoint/ui/button.tsx';
import { Page, Section, Stack } from '@fixpoint/ui/layout.tsx';
import { Loading } from '@fixpoint/ui/progress.tsx';
import { Steps } from '@fixpoint/ui/steps.tsx';
import { SummaryList } from '@fixpoint/ui/summary-list.tsx';
import { useState } from 'react';
import { StepUpDialog } from '../features/account/step-up-dialog.tsx';
import { useConnectStep } from '../features/checkout/connect-step.tsx';
import { EmailAgain } from '../features/checkout/email-again.tsx';
import { GuestSteps } from '../features/checkout/guest-steps.tsx';
import { type OrderRecord, rememberOrder } from '../features/checkout/order-record.ts';
import { hasBegun, isOver, type OrderProgress } from '../features/checkout/order-steps.ts';
import { OrderUnknown } from '../features/checkout/order-unknown.tsx';
import { SetupSteps } from '../features/checkout/setup-steps.tsx';
import { useOrderProgress } from '../features/checkout/use-order-progress.ts';
import { useOrderRecord } from '../features/checkout/use-order-record.ts';
import { outcomeOf } from '../features/checkout/watch-order.ts';
import { FirstDevice } from '../features/keys/first-device.tsx';
import { useLoggedIn } from '../server/shop-state.ts';
import { usePlaces } from '../shop/catalog.ts';
import { useFormat } from '../shop/format.ts';
import { Redirect, useHref, usePath, useQueryParams } from '../shop/links.ts';
import { LoadError } from '../shop/load-error.tsx';
import { planName } from '../shop/plan-name.ts';
import { regionName } from '../shop/region.ts';
import { useText } from '../shop/texts.ts';

/** `/success?order=`: shows the progress of an order and the next step. Survives a reload. */
export function Screen() {
  const t = useText();
  const path = usePath();
  const params = useQueryParams();
  const known = useOrderRecord(params.get('order'));
  const record = typeof known === 'object' ? known : undefined;
  const order = useOrderProgress(record, useLoggedIn());
  const outcome = order.data && outcomeOf(order.data.status);
  // A late payment for a replacement creates no subscription; this page says so.
  const hasNone = order.data?.status !== 'refunded' || order.data.replaces !== undefined;
  if (outcome && outcome !== 'success' && hasNone) {
    return <Redirect to={`${path('/order')}?order=${order.data?.reference}`} />;
  }
  if (known === 'none' || known === 'unknown') {
    return (
      <Page width="text">
        <Section level={1} title={t('order.title')}>
          <OrderUnknown />
        </Section>
      </Page>
    );
  }
  return (
    <Page width="text">
      <Section level={1} title={t(headline(order.data))}>
        {order.error && !order.data && <LoadError error={order.error} onRetry={order.refetch} />}
        {!order.data && !order.error && <Loading label={t('app.loading')} />}
        {order.data && (
          <Stack gap={16}>
            {!isOver(order.data) && <SetupSteps order={order.data} />}
            <Surplus order={order.data} />
            <NextStep order={order.data} record={record!} />
            <Facts order={order.data} />
          </Stack>
        )}
      </Section>
    </Page>
  );
}

/** The order page's headline until the payment is known to have succeeded. */
function headline(order: OrderProgress | undefined) {
  if (!order) return 'order.title';
  if (order.status !== 'refunded') return 'success.title';
  return order.changesPlan ? 'order.kept.title' : 'order.refunded.title';
}

/** More bitcoin than the price arrived: says where the surplus is. */
function Surplus({ order: { surplus, total } }: { order: OrderProgress }) {
  const t = useText();
  const { money } = useFormat();
  if (!surplus) return null;
  return <Alert type="info">{t('success.surplus', { amount: money(surplus, total.currency) })}</Alert>;
}

function NextStep({ order, record }: { order: OrderProgress; record: OrderRecord }) {
  const t = useText();
  const href = useHref();
  const loggedIn = useLoggedIn();
  const [email, setEmail] = useState(record.email);
  const connect = useConnectStep();
  const changed = ({ status, product }: OrderProgress) =>
    status === 'refunded'
      ? t('order.kept.text')
      : t('success.changed.text', { plan: planName(product.planId) });
  if (loggedIn && order.subscription) {
    const open = (
      <p>
        <a
          className={buttonClass({ variant: order.changesPlan ? 'primary' : 'secondary' })}
          href={href(`/management/subscription/${order.subscription.id}`)}
        >
          {t('success.open')}
        </a>
      </p>
    );
    const file = (
      <Stack gap={3}>
        <FirstDevice subscriptionId={order.subscription.id} lead={t('success.customer.text')} />
        {open}
      </Stack>
    );
    const isReady = !order.changesPlan && order.subscription.status === 'active';
    return (
      <Section title={t(isReady ? 'success.yours' : 'success.next')}>
        {order.changesPlan && <p>{changed(order)}</p>}
        {isReady ? (
          <Steps stacked items={[{ id: 'file', title: t('guide.file'), content: file }, connect]} />
        ) : (
          open
        )}
        {/* Downloading a file needs a recent step-up. */}
        <StepUpDialog />
      </Section>
    );
  }
  if (loggedIn) return null;
  return (
    <Section title={t('success.yours')}>
      <GuestSteps
        order={order}
        email={email ?? order.email ?? ''}
        again={
          order.resendIn !== undefined && (
            <EmailAgain
              metadata={record.metadata}
              resendIn={order.resendIn}
              onChanged={changed => {
                rememberOrder({ ...record, email: changed });
                setEmail(changed);
              }}
            />
          )
        }
      />
    </Section>
  );
}

function Facts({ order }: { order: OrderProgress }) {
  const t = useText();
  const { date, money } = useFormat();
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
          {
            term: t('order.summary.total'),
            value: money(total.price, total.currency),
            strong: true,
            // What was paid by credit alone depends on what its customer has saved.
            note:
              order.charged !== undefined &&
              hasBegun(order) &&
              renewalSentence(t, {
                charged: order.charged,
                months: product.cycleCount,
                amount: money(order.renewal, total.currency),
                // A charge comes before this day, an invoice says until when is paid.
                ...(!order.charged && order.renewsAt && { date: date(order.renewsAt) }),
              }),
          },
        ]}
      />
    </Section>
  );
}
