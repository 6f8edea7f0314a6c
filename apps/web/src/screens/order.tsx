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
import { CheckoutOwn } from '../features/checkout/checkout-own.tsx';
import { OrderClosed } from '../features/checkout/order-closed.tsx';
import type { OrderRecord } from '../features/checkout/order-record.ts';
import { OrderUnknown } from '../features/checkout/order-unknown.tsx';
import { Processing } from '../features/checkout/processing.tsx';
import { useOrderRecord } from '../features/checkout/use-order-record.ts';
import { outcomeOf } from '../features/checkout/watch-order.ts';
import { LegalLink } from '../features/legal/legal-link.tsx';
import { api } from '../server/api.ts';
import { useLoggedIn } from '../server/shop-state.ts';
import { type CameBack, leftFrom } from '../shop/away.ts';
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
import { useText } from '../shop/texts.ts';
import { usePayMethods } from './use-pay-methods.ts';

/**
 * `/order?plan=&cycle=` begins; `/order?order=` goes on with an order that a window of this browser began: the server's
 * state of it decides what is shown. `/order?again=` buys a subscription again that has ended,
 * `/order?change=&plan=` gives one another plan, `/order?replace=` sells one that takes the place of another. `/order?back=` is where a provider's own page leads back to: on to the order
 * from which this window left for it.
 */
export function Screen() {
  const t = useText();
  const back = useQueryParams().get('back');
  const left = leftFrom();
  if (!back) return <OrderScreen />;
  if (left) return <Redirect to={left} state={{ back }} />;
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
  // The next screen, so that nothing is fetched between paying and seeing it.
  useEffect(() => void import('./success.tsx').catch(() => undefined), []);
  // Only what the page was opened with: it puts its own order into the address later.
  const [opened] = useState(() => ({
    planId: params.get('plan') ?? undefined,
    cycle: Number(params.get('cycle')),
    again: params.get('again'),
    change: params.get('change'),
    replace: params.get('replace'),
  }));
  const own = ownOf(opened);
  const record = useOrderRecord(params.get('order'));
  return (
    <Page>
      <Section level={1} title={t('order.title')} lead={t('home.lead')}>
        {record === 'asking' && <Arriving />}
        {record === 'unknown' && <OrderUnknown />}
        {typeof record === 'object' && <ResumedOrder record={record} />}
        {record === 'none' && own && <OwnForm own={own} />}
        {record === 'none' && !own && (
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

/** The subscription that it is for, if it is for one that there is. */
function ownOf(opened: { planId: string | undefined; again: string | null; change: string | null }) {
  const { planId, again, change } = opened;
  if (again) return { id: again };
  return change && planId ? { id: change, planId } : undefined;
}

function ResumedOrder({ record }: { record: OrderRecord }) {
  const path = usePath();
  const back = (useLocation().state as CameBack)?.back;
  const order = useQuery({
    queryKey: ['order', record.metadata],
    queryFn: async () => {
      const { metadata, method } = record;
      const state = await api.order.purchaseData({ body: { metadata } });
      if (state.status !== 'awaitingPayment') return state;
      // The provider may know more than the server has heard yet. Without an answer, who agreed there has paid.
      const asked = await api.order.confirmPurchase({ body: { metadata } }).catch(() => undefined);
      const agreed = back === 'agreed' && method && { method, payable: { kind: 'wait' as const } };
      const payment = asked ? asked.payment : agreed || undefined;
      return { ...(await api.order.purchaseData({ body: { metadata } })), payment };
    },
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  if (!order.data) {
    if (order.error) return <LoadError error={order.error} onRetry={order.refetch} />;
    return back === 'agreed' ? <Processing /> : <Arriving />;
  }
  const { status, reference, product } = order.data;
  if (outcomeOf(status) === 'success') {
    return <Redirect to={`${path('/success')}?order=${reference}`} />;
  }
  if (status === 'expired' || status === 'refunded') {
    return (
      <OrderClosed status={status} ofOne={order.data.changesPlan || order.data.replaces !== undefined} />
    );
  }
  const notice = back === 'cancelled' ? ('order.cancelled' as const) : undefined;
  const { subscriptionId } = parseMetadata(record.metadata) ?? {};
  if (subscriptionId) {
    const own = { id: subscriptionId, ...(order.data.changesPlan && { planId: product.planId }) };
    return <OwnForm own={own} resumed={record} stands={order.data} notice={notice} />;
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
        stands: order.data,
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

/** In the currency in which the other one was paid: what is left of that pays a part. */
function ReplacingForm({ id, start }: { id: string; start: CheckoutStart }) {
  const replacement = useReplacement(id);
  const plans = usePlansIn(replacement.data?.currency);
  const places = usePlaces();
  if (!replacement.data || !plans.data || !places.data) {
    const failed = [replacement, plans, places].find(query => query.error);
    return failed ? <LoadError error={failed.error} onRetry={failed.refetch} /> : <Arriving />;
  }
  return (
    <Purchase plans={plans.data} places={places.data} start={{ ...start, replaces: replacement.data }} />
  );
}

function OrderForm({ start }: { start: CheckoutStart }) {
  const plans = usePlans();
  const places = usePlaces();
  // Drawn in pieces, between which the page answers: at once it would hold a phone for half a second.
  const arrived = useDeferredValue(Boolean(plans.data && places.data), false);
  // Asked again on coming back to the page: what does not arrive then takes no form away.
  if (!arrived || !plans.data || !places.data) {
    const failed = [plans, places].find(query => query.error);
    return failed ? <LoadError error={failed.error} onRetry={failed.refetch} /> : <Arriving />;
  }
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

type OwnStart = Pick<ComponentProps<typeof CheckoutOwn>, 'own' | 'resumed' | 'stands' | 'notice'>;

/** Only its own customer buys for a subscription. */
function OwnForm(start: OwnStart) {
  return useLoggedIn() ? <OwnOffer {...start} /> : <LogInFirst />;
}

function OwnOffer(start: OwnStart) {
  const offer = useOffer(start.own.id, start.own.planId);
  const plans = usePlans();
  const places = usePlaces();
  if (!offer.data || !plans.data || !places.data) {
    if (!start.own.planId && isSoldNoMore(offer.error)) return <NotAgain />;
    const failed = [offer, plans, places].find(query => query.error);
    return failed ? <LoadError error={failed.error} onRetry={failed.refetch} /> : <Arriving />;
  }
  return <PurchaseOwn {...start} offer={offer.data} plans={plans.data} places={places.data} />;
}

const isSoldNoMore = (error: unknown) => error instanceof Refusal && error.code === '6004';

/** Its address is given up, and nobody can buy there. */
function NotAgain() {
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

function PurchaseOwn({ plans, ...props }: OwnStart & { offer: Offer; plans: Plans; places: Places }) {
  const payment = usePayment(plans);
  // As it was when the page was opened: an order that has begun goes on where the last address is taken meanwhile.
  const [isFull] = useState(props.offer.full === true && !props.resumed);
  return isFull ? <NotAgain /> : <CheckoutOwn {...props} {...payment} />;
}

/** What every purchase has: the ways to pay, the terms, and where it leads. */
function usePayment({ payBy }: Plans) {
  const t = useText();
  const path = usePath();
  const navigate = useNavigate();
  return {
    payMethods: usePayMethods(payBy),
    termsLink: <LegalLink document="terms">{t('order.terms.read')}</LegalLink>,
    onDraft: (reference: string) => navigate(`${path('/order')}?order=${reference}`, { replace: true }),
    onSettled: (reference: string) => navigate(`${path('/success')}?order=${reference}`, { replace: true }),
  };
}

function LogInFirst() {
  const t = useText();
  return (
    <p>
      {t('order.login')} <LogInAndBack />
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

/** As high as a window, so that the form pushes nothing away when it comes. */
function Arriving() {
  const t = useText();
  return <Skeleton lines={8} height="100vh" label={t('app.loading')} />;
}
