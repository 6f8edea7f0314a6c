import { parseMetadata } from '@fixpoint/contract/metadata.ts';
import { Alert } from '@fixpoint/ui/alert.tsx';
import { LinkButton } from '@fixpoint/ui/button.tsx';
import { Page, Section } from '@fixpoint/ui/layout.tsx';
import { Skeleton } from '@fixpoint/ui/progress.tsx';
import { Refusal } from '@fixpoint/web-client/faults.ts';
import { useQuery } from '@tanstack/react-query';
import { type ComponentProps, useDeferredValue, useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { Checkout, type CheckoutStart } from '../features/checkout/checkout.tsx';
import { CheckoutExisting } from '../features/checkout/checkout-existing.tsx';
import { OrderClosed } from '../features/checkout/order-closed.tsx';
import type { OrderRecord } from '../features/checkout/order-record.ts';
import { OrderUnknown } from '../features/checkout/order-unknown.tsx';
import { Processing } from '../features/checkout/processing.tsx';
import { useOrderRecord } from '../features/checkout/use-order-record.ts';
import { outcomeOf } from '../features/checkout/watch-order.ts';
import { LegalLink } from '../features/legal/legal-link.tsx';
import { api } from '../server/api.ts';
import { useProfile } from '../server/profile.ts';
import { useLoggedIn } from '../server/shop-state.ts';
import { AskOwner } from '../shop/ask-owner.tsx';
import {
  isCycleCount,
  type Offer,
  type Places,
  type Plans,
  useOffer,
  usePlaces,
  usePlans,
  usePlansIn,
  useReplacement,
} from '../shop/catalog.ts';
import { Redirect, useHref, usePath, useQueryParams } from '../shop/links.ts';
import { LoadError } from '../shop/load-error.tsx';
import { type ReturnState, redirectedFrom } from '../shop/provider-redirect.ts';
import { useText } from '../shop/texts.ts';
import { usePayMethods } from './use-pay-methods.ts';

/**
 * Order screen, by query. New orders: `plan`, `cycle`. Resumes an order of this browser: `order`;
 * after a provider's page: `back`. For a subscription: `again` (renew an ended one), `change` and
 * `plan` (change its plan), `replace` (replace it).
 */
export function Screen() {
  const t = useText();
  const back = useQueryParams().get('back');
  const origin = redirectedFrom();
  if (!back) return <OrderScreen />;
  if (origin) return <Redirect to={origin} state={{ back }} />;
  return (
    <Page width="text">
      <Section level={1} title={t('order.title')}>
        <OrderUnknown />
      </Section>
    </Page>
  );
}

function OrderScreen() {
  const t = useText();
  const params = useQueryParams();
  // Preloads the next screen, so that it shows at once after the payment.
  useEffect(() => void import('./success.tsx').catch(() => undefined), []);
  // As of the page's opening: later the page puts its own order into the address.
  const [opened] = useState(() => ({
    planId: params.get('plan') ?? undefined,
    cycle: Number(params.get('cycle')),
    again: params.get('again'),
    change: params.get('change'),
    replace: params.get('replace'),
  }));
  const existing = existingOf(opened);
  const record = useOrderRecord(params.get('order'));
  return (
    <Page>
      <Section level={1} title={t('order.title')}>
        {record === 'asking' && <OrderSkeleton />}
        {record === 'unknown' && <OrderUnknown />}
        {typeof record === 'object' && <ResumedOrder record={record} />}
        {record === 'none' && existing && <ExistingForm existing={existing} />}
        {record === 'none' && !existing && (
          <NewForm
            replaces={opened.replace}
            start={{
              planId: opened.planId,
              cycleCount: isCycleCount(opened.cycle) ? opened.cycle : 12,
            }}
          />
        )}
      </Section>
    </Page>
  );
}

/** The existing subscription that the order is for, if any. */
function existingOf(opened: { planId: string | undefined; again: string | null; change: string | null }) {
  const { planId, again, change } = opened;
  if (again) return { id: again };
  return change && planId ? { id: change, planId } : undefined;
}

function ResumedOrder({ record }: { record: OrderRecord }) {
  const path = usePath();
  const back = (useLocation().state as ReturnState)?.back;
  const order = useQuery({
    queryKey: ['order', record.metadata],
    queryFn: async () => {
      const { metadata, method } = record;
      const state = await api.order.purchaseData({ body: { metadata } });
      if (state.status !== 'awaitingPayment') return state;
      // The provider may know more than the server. Without an answer, an approved payment counts
      // as made.
      const asked = await api.order.confirmPurchase({ body: { metadata } }).catch(() => undefined);
      const agreed = back === 'agreed' && method && { method, nextAction: { kind: 'wait' as const } };
      const payment = asked ? asked.payment : agreed || undefined;
      return { ...(await api.order.purchaseData({ body: { metadata } })), payment };
    },
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  if (!order.data) {
    if (order.error) return <LoadError error={order.error} onRetry={order.refetch} />;
    return back === 'agreed' ? <Processing /> : <OrderSkeleton />;
  }
  const { status, reference, product } = order.data;
  if (outcomeOf(status) === 'success') {
    return <Redirect to={`${path('/success')}?order=${reference}`} />;
  }
  if (status === 'expired' || status === 'refunded') {
    return (
      <OrderClosed
        status={status}
        forExisting={order.data.changesPlan || order.data.replaces !== undefined}
      />
    );
  }
  const notice = back === 'cancelled' ? ('order.cancelled' as const) : undefined;
  const { subscriptionId } = parseMetadata(record.metadata) ?? {};
  if (subscriptionId) {
    const existing = { id: subscriptionId, ...(order.data.changesPlan && { planId: product.planId }) };
    return <ExistingForm existing={existing} resumed={record} standing={order.data} notice={notice} />;
  }
  const { planId, cycleCount, providerId, regionId, vendorId } = product;
  return (
    <NewForm
      replaces={order.data.replaces}
      start={{
        planId,
        cycleCount,
        place: { providerId, regionId, vendorId },
        resumed: record,
        standing: order.data,
        ...(notice && { notice }),
      }}
    />
  );
}

function NewForm({ replaces, start }: { replaces: string | null | undefined; start: CheckoutStart }) {
  const loggedIn = useLoggedIn();
  if (!replaces) return <OrderForm start={start} />;
  return loggedIn ? <ReplacingForm id={replaces} start={start} /> : <LogInFirst />;
}

/** Prices in the currency of the replaced subscription, whose remaining value pays a part. */
function ReplacingForm({ id, start }: { id: string; start: CheckoutStart }) {
  const replacement = useReplacement(id);
  const plans = usePlansIn(replacement.data?.currency);
  const places = usePlaces();
  if (!replacement.data || !plans.data || !places.data) {
    const failed = [replacement, plans, places].find(query => query.error);
    return failed ? <LoadError error={failed.error} onRetry={failed.refetch} /> : <OrderSkeleton />;
  }
  // Nobody moves to a place where they would wait.
  const offers = places.data.offers.map(offer => ({ ...offer, available: offer.available && !offer.waits }));
  return (
    <Purchase
      plans={plans.data}
      places={{ ...places.data, offers }}
      start={{ ...start, replaces: replacement.data }}
    />
  );
}

function OrderForm({ start }: { start: CheckoutStart }) {
  const own = usePlansIn(start.standing?.total.currency);
  const preferred = usePlans();
  // An order that was begun keeps its currency.
  const plans = start.standing ? own : preferred;
  const places = usePlaces();
  const profile = useProfile();
  const isKnown = !useLoggedIn() || !profile.isPending;
  // Renders in pieces: at once it would block a phone for half a second.
  const arrived = useDeferredValue(Boolean(isKnown && plans.data && places.data), false);
  // Refetched when the window gets the focus; a failure then must not unmount the form.
  if (!arrived || !plans.data || !places.data) {
    const failed = [plans, places].find(query => query.error);
    return failed ? <LoadError error={failed.error} onRetry={failed.refetch} /> : <OrderSkeleton />;
  }
  if (profile.data?.role === 'member') return <AskOwner stays />;
  return <Purchase plans={plans.data} places={places.data} start={start} />;
}

function Purchase(props: { plans: Plans; places: Places; start: CheckoutStart }) {
  const path = usePath();
  const navigate = useNavigate();
  const ordered = useQueryParams().has('order');
  return (
    <Checkout
      {...props}
      {...usePayment(props.plans)}
      logIn={<LogInFirst />}
      onPlan={({ planId, cycleCount }) => {
        const of = props.start.replaces ? `replace=${props.start.replaces.id}&` : '';
        if (!ordered)
          navigate(`${path('/order')}?${of}plan=${planId}&cycle=${cycleCount}`, { replace: true });
      }}
    />
  );
}

type ExistingStart = Pick<
  ComponentProps<typeof CheckoutExisting>,
  'existing' | 'resumed' | 'standing' | 'notice'
>;

/** Only the subscription's owner can order for it. */
function ExistingForm(start: ExistingStart) {
  return useLoggedIn() ? <ExistingOffer {...start} /> : <LogInFirst />;
}

function ExistingOffer(start: ExistingStart) {
  const offer = useOffer(start.existing.id, start.existing.planId);
  const plans = usePlansIn(offer.data?.total.currency);
  const places = usePlaces();
  if (!offer.data || !plans.data || !places.data) {
    if (!start.existing.planId && isNoLongerSold(offer.error)) return <CannotRenew />;
    const failed = [offer, plans, places].find(query => query.error);
    return failed ? <LoadError error={failed.error} onRetry={failed.refetch} /> : <OrderSkeleton />;
  }
  return <PurchaseExisting {...start} offer={offer.data} plans={plans.data} places={places.data} />;
}

const isNoLongerSold = (error: unknown) => error instanceof Refusal && error.code === '6004';

/** The address is no longer reserved, and the location is sold out. */
function CannotRenew() {
  const t = useText();
  const href = useHref();
  return (
    <Alert
      type="warning"
      action={<LinkButton href={href('/management/subscription/new')}>{t('subscriptions.new')}</LinkButton>}
    >
      {t('order.again.none')}
    </Alert>
  );
}

function PurchaseExisting({
  plans,
  ...props
}: ExistingStart & { offer: Offer; plans: Plans; places: Places }) {
  const payment = usePayment(plans);
  // As of the page's opening: an order under way continues although the last address has gone.
  const [isFull] = useState(props.offer.full === true && !props.resumed);
  return isFull ? <CannotRenew /> : <CheckoutExisting {...props} {...payment} />;
}

/** Shared by all purchases: payment methods, terms, navigation. */
function usePayment(plans: Plans) {
  const t = useText();
  const path = usePath();
  const navigate = useNavigate();
  return {
    payMethods: usePayMethods(plans),
    termsLink: <LegalLink document="terms">{t('order.terms.read')}</LegalLink>,
    onDraft: (reference: string) => navigate(`${path('/order')}?order=${reference}`, { replace: true }),
    onSettled: (reference: string) => navigate(`${path('/success')}?order=${reference}`, { replace: true }),
  };
}

function LogInFirst() {
  const t = useText();
  return (
    <p>
      <span>{t('order.login')}</span> <LogInAndBack />
    </p>
  );
}

function LogInAndBack() {
  const t = useText();
  const path = usePath();
  const href = useHref();
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  return (
    <a
      href={href('/auth/login')}
      onClick={event => {
        event.preventDefault();
        navigate(path('/auth/login'), { state: { from: `${pathname}${search}` } });
      }}
    >
      {t('nav.login')}
    </a>
  );
}

/** As high as the window, so that the form moves nothing when it renders. */
function OrderSkeleton() {
  const t = useText();
  return <Skeleton lines={8} height="100vh" label={t('app.loading')} />;
}
