import { ORDER_POLL_MS } from 'virtual:calls';
import { parseMetadata } from '@fixpoint/contract/metadata.ts';
import { paidByCredit } from '@fixpoint/contract/minimum-charge.ts';
import { Cancelled, Refusal } from '@fixpoint/web-client/faults.ts';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { shownLanguage } from '../../routing/language.ts';
import { api } from '../../server/api.ts';
import { openLive } from '../../server/live.ts';
import { queryClient } from '../../server/query.ts';
import type { Choice, PricedProduct, Replacement } from '../../shop/catalog.ts';
import type { OpenPayment, OrderState, PayMethod, PaymentHandle } from '../../shop/pay-method.ts';
import { showError } from '../../shop/snack.ts';
import { type OrderRecord, rememberOrder } from './order-record.ts';
import { type PayOutcome, pay, paymentToShow } from './pay.ts';
import { outcomeOf, watchOrder } from './watch-order.ts';

/** The server's price for a choice. */
export const useProduct = (choice: Choice | undefined) =>
  useQuery({
    queryKey: ['product', choice],
    queryFn: () => api.order.getProduct({ body: choice! }),
    enabled: choice !== undefined,
    placeholderData: previous => previous,
  });

export type Problem =
  | Exclude<PayOutcome, { kind: 'settled' | 'processing' }>
  /** Price, terms or order have changed since they were shown; `text` is the key of the message. */
  | { kind: 'outdated'; text: string }
  /** Any other failure on the way. */
  | { kind: 'interrupted'; error: unknown };
/** State of the order that the page came back to. */
export type OrderStanding = Pick<
  OrderState,
  'status' | 'total' | 'payment' | 'failure' | 'credit' | 'prorated'
>;
/**
 * `credit`: part of the price paid by credit, as shown; undefined while unknown. `prorated`: part
 * paid by unused days of another subscription.
 */
export type Buyer = {
  email: string;
  loggedIn: boolean;
  termsVersion: string;
  credit?: number | undefined;
  prorated: number;
};

/** The subscription that is renewed, or gets another plan. */
export type ExistingSubscription = { id: string; planId?: string | undefined };

type Options = {
  existing?: ExistingSubscription | undefined;
  replaces?: Replacement | undefined;
  /** The order that the page came back to, if any. */
  resumed: OrderRecord | undefined;
  /** State of that order. */
  standing: OrderStanding | undefined;
  /** All methods, for an order whose payment is under way by another one than chosen. */
  payMethods: readonly PayMethod[];
  onDraft: (reference: string) => void;
  onSettled: (reference: string) => void;
};

/**
 * The purchase: one order for one product, created at the first click on Pay and paid by as many
 * attempts as it takes. The server identifies the order by its metadata, so another click, window
 * or reload never charges twice.
 */
export function useCheckout({
  existing,
  replaces,
  resumed,
  standing,
  payMethods,
  onDraft,
  onSettled,
}: Options) {
  const order = useRef(resumed);
  const methodOf = (payment: OpenPayment) => payMethods.find(({ method }) => method === payment.method);
  /** A payment that was begun before this page was opened and continues by itself. */
  const [begun] = useState(() => {
    const { status, payment } = standing ?? {};
    const kind = status === 'awaitingPayment' && payment?.payable.kind;
    return kind === 'wait' || (kind === 'scan' && methodOf(payment!)) ? payment : undefined;
  });
  const [phase, setPhase] = useState<'form' | 'paying' | 'processing'>(begun ? 'processing' : 'form');
  /** Shown by the method while it waits for the payment. */
  const [meanwhile, setMeanwhile] = useState<ReactNode>();
  const [problem, setProblem] = useState<Problem | undefined>(
    standing?.failure === undefined ? undefined : { kind: 'declined', code: standing.failure },
  );
  const [isOpen, setOpen] = useState(standing?.status === 'awaitingPayment' && !begun);
  const running = useRef(false);
  const over = useRef(false);
  /** Credit that the order has reserved. */
  const [reserved, setReserved] = useState<Covered>({
    credit: standing?.credit,
    prorated: standing?.prorated,
  });
  const listeners = useRef(new Set<() => void>());

  /**
   * Runs once: the live event may come before the answer, when the customer is already on another
   * page.
   */
  const settled = () => {
    if (over.current) return;
    over.current = true;
    onSettled(referenceOf(order.current));
  };

  // Watches while money may be on its way: the provider can also report to the server alone.
  const waits = phase === 'processing' || (phase === 'form' && isOpen);
  // biome-ignore lint/correctness/useExhaustiveDependencies: one watch per waiting period
  useEffect(() => {
    const metadata = order.current?.metadata;
    if (!waits || !metadata) return;
    let disposed = false;
    const stop = watchOrder({
      metadata,
      open: openLive,
      readStatus: async () => (await api.order.purchaseData({ body: { metadata } })).status,
      pollMs: ORDER_POLL_MS,
      onUpdate: () => {
        for (const listener of listeners.current) listener();
      },
      onOutcome: async outcome => {
        if (outcome === 'success') return settled();
        const state = await api.order.purchaseData({ body: { metadata } }).catch(() => undefined);
        // Another attempt has begun meanwhile.
        if (disposed) return;
        setOpen(false);
        setPhase('form');
        setProblem(
          state?.status === 'expired' || state?.status === 'refunded'
            ? { kind: 'closed', status: state.status }
            : { kind: 'declined', code: state?.failure ?? '2002' },
        );
      },
    });
    return () => {
      disposed = true;
      stop();
    };
  }, [waits]);

  /** Creates or reuses the draft; another product gets a new one. */
  async function draft(
    { product, total }: PricedProduct,
    { email, termsVersion }: Buyer,
    { method }: PayMethod,
  ): Promise<string> {
    const known = order.current?.metadata;
    if (known && parseMetadata(known)?.productId === product.id) {
      rememberOrder({ metadata: known, email, method, termsVersion });
      return known;
    }
    const { metadata } = await api.order.getMetaData({
      body: {
        productId: product.id,
        currency: total.currency,
        ...(existing && { subscriptionId: existing.id }),
        ...(replaces && { replaces: replaces.id }),
      },
    });
    order.current = { metadata, email, method, termsVersion };
    setReserved({});
    onDraft(rememberOrder(order.current));
    return metadata;
  }

  /** Callbacks for a payment elsewhere. `again` renews the offer; without it the form does. */
  function handleOf(
    metadata: string,
    total: OrderState['total'],
    payment: OpenPayment,
    again?: () => Promise<OrderState>,
  ): PaymentHandle {
    const cancel = () => {
      setMeanwhile(undefined);
      setOpen(true);
      setPhase('form');
    };
    return {
      total,
      payment,
      cancel,
      payByCard: card => api.order.confirmPurchase({ body: { metadata, card } }),
      async ask() {
        const answer = await api.order.confirmPurchase({ body: { metadata } });
        if (outcomeOf(answer.status) === 'success') settled();
        return paymentToShow(payment, answer);
      },
      async renew() {
        if (!again) return void cancel();
        const answer = await again();
        if (outcomeOf(answer.status) === 'success') settled();
        return paymentToShow(payment, answer);
      },
      subscribe(listener) {
        listeners.current.add(listener);
        return () => void listeners.current.delete(listener);
      },
    };
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, on mount
  useEffect(() => {
    if (!begun || !standing || !order.current) return;
    const handle = handleOf(order.current.metadata, amountDue(standing.total, standing), begun);
    const resume = async () => {
      const answer = await methodOf(begun)?.confirm(begun.payable, { email: '' }, handle);
      if (answer?.kind === 'elsewhere') setMeanwhile(answer.meanwhile);
    };
    void resume();
  }, []);

  async function tryToPay(priced: PricedProduct, buyer: Buyer, by: PayMethod): Promise<PayOutcome> {
    const metadata = await draft(priced, buyer, by);
    const { currency, price } = priced.total;
    const consent = {
      metadata,
      paymentMethod: by.method,
      termsVersion: buyer.termsVersion,
      price: { currency, price },
    };
    const purchase = async (): Promise<OrderState> => {
      const { email } = buyer;
      const body = {
        ...consent,
        ...by.saved,
        ...(buyer.credit !== undefined && { credit: buyer.credit }),
        ...(replaces && { prorated: buyer.prorated }),
      };
      const answer =
        existing && !existing.planId
          ? await api.order.purchaseReactivate({ body })
          : buyer.loggedIn
            ? await api.order.purchaseLogin({ body })
            : await api.order.purchase({ body: { ...consent, email, language: shownLanguage.get() } });
      setReserved({ credit: answer.data.credit, prorated: answer.data.prorated });
      if (answer.data.credit) void queryClient.invalidateQueries({ queryKey: ['cards'] });
      return answer.data;
    };
    return pay({
      purchase,
      confirm: payment =>
        (methodOf(payment) ?? by).confirm(
          payment.payable,
          buyer,
          handleOf(metadata, amountDue(priced.total, buyer), payment, purchase),
        ),
      confirmPurchase: () => api.order.confirmPurchase({ body: { metadata } }),
      onCharged: () => setPhase('processing'),
    });
  }

  /** Part of the price paid by unused days: as reserved by the order, else what is left of them. */
  const proratedFor = ({ product, total }: PricedProduct): number =>
    reserved.prorated && productOf(order.current) === product.id
      ? reserved.prorated
      : Math.min(replaces?.unused ?? 0, total.price);

  return {
    phase,
    meanwhile,
    problem,
    isOpen,
    /** Part of the price paid by credit: as reserved by the order, else what is available. */
    creditFor(priced: PricedProduct, available: readonly Money[]): number {
      const { product, total } = priced;
      if (reserved.credit && productOf(order.current) === product.id) return reserved.credit;
      const amount = available.find(({ currency }) => currency === total.currency)?.amount ?? 0;
      return paidByCredit(total.currency, total.price - proratedFor(priced), amount);
    },
    proratedFor,
    /** Ignores a second click before React has rendered the busy button. */
    async pay(priced: PricedProduct, buyer: Buyer, by: PayMethod) {
      if (running.current) return;
      running.current = true;
      setPhase('paying');
      setMeanwhile(undefined);
      setProblem(undefined);
      setOpen(false);
      try {
        const outcome = await tryToPay(priced, buyer, by);
        if (outcome.kind === 'settled') return settled();
        if (outcome.kind === 'processing') {
          setMeanwhile(outcome.meanwhile);
          return setPhase('processing');
        }
        setProblem(outcome);
        setPhase('form');
      } catch (error) {
        setPhase('form');
        const outdated = outdatedPart(error);
        if (outdated) {
          setProblem({ kind: 'outdated', text: outdated });
          // The order has frozen the price, so the next attempt creates a new one.
          order.current = undefined;
          await queryClient.invalidateQueries();
        } else {
          if (!(error instanceof Cancelled)) setProblem({ kind: 'interrupted', error });
          showError(error);
          // The answer may be lost without the payment, so the order is watched.
          setOpen(order.current !== undefined);
        }
      } finally {
        running.current = false;
      }
    },
  };
}

/** Text key if price, terms or order have changed since they were shown. */
function outdatedPart(error: unknown): string | undefined {
  if (!(error instanceof Refusal)) return undefined;
  return error.fields.price ?? error.fields.termsVersion ?? error.fields.order;
}

/** Parts of the price paid without money. */
type Covered = { credit?: number | undefined; prorated?: number | undefined };

/** The amount due. */
const amountDue = (total: OrderState['total'], { credit = 0, prorated = 0 }: Covered) => ({
  ...total,
  price: total.price - credit - prorated,
});

type Money = { currency: string; amount: number };

const productOf = (order: OrderRecord | undefined) => order && parseMetadata(order.metadata)?.productId;
const referenceOf = (order: OrderRecord | undefined) =>
  (order && parseMetadata(order.metadata)?.reference) ?? '';
