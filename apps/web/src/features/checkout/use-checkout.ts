import { parseMetadata } from '@fixpoint/contract/metadata.ts';
import { useInSight } from '@fixpoint/ui/lib/in-sight.ts';
import { pause } from '@fixpoint/ui/lib/pause.ts';
import { Cancelled } from '@fixpoint/web-client/faults.ts';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { api } from '../../server/api.ts';
import { queryClient } from '../../server/query.ts';
import type { PricedProduct, Replacement } from '../../shop/catalog.ts';
import type { OpenPayment, OrderState, PayMethod, PaymentHandle } from '../../shop/pay-method.ts';
import { forgetPaymentFailure } from '../../shop/payment-failure.ts';
import { showError } from '../../shop/snack.ts';
import {
  amountDue,
  type Buyer,
  begunPayment,
  type Covered,
  type Credit,
  coverOf,
  type ExistingSubscription,
  isAboutCompany,
  type OrderStanding,
  outdatedPart,
  productOf,
  referenceOf,
} from './order-parts.ts';
import { type OrderRecord, rememberOrder } from './order-record.ts';
import { type PayOutcome, pay, paymentToShow } from './pay.ts';
import {
  type FailedPayment,
  interrupted,
  type Problem,
  showFailedPayment,
  useBackOnline,
} from './problem-text.ts';
import { sendPurchase } from './send-purchase.ts';
import { useOrderWatch } from './use-order-watch.ts';
import { outcomeOf } from './watch-order.ts';

/** Time for the page's own answer, which knows the cause, after the order has failed, ms. */
const CAUSE_MS = 1500;

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
  const [begun] = useState(() => begunPayment(standing, methodOf));
  const [phase, setPhase] = useState<'form' | 'paying' | 'processing'>(begun ? 'processing' : 'form');
  /** Shown by the method while it waits for the payment. */
  const [meanwhile, setMeanwhile] = useState<ReactNode>();
  /** What a refused payment says, if its method is no card. */
  const declinedBy = (method: PayMethod['method'] | undefined) =>
    payMethods.find(known => known.method === method)?.declined;
  const [problem, setProblem] = useState<Problem | undefined>(
    standing?.failure === undefined
      ? undefined
      : { kind: 'declined', code: standing.failure, declined: declinedBy(resumed?.method) },
  );
  const inSight = useInSight();
  useBackOnline(problem, () => setProblem(undefined));
  const [isOpen, setOpen] = useState(standing?.status === 'awaitingPayment' && !begun);
  /** The order that is watched; set with the press on Pay. */
  const [watched, setWatched] = useState(resumed?.metadata);
  /** The page is free: the bank asks, or an event said that something happened. */
  const [isAsked, setAsked] = useState(false);
  const [isMoved, setMoved] = useState(false);
  const running = useRef<PromiseWithResolvers<PayOutcome>>(undefined);
  /** Whether the server has begun the payment: before that, a failure is about an earlier one. */
  const hasBegun = useRef(true);
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

  const failed = (outcome: FailedPayment, method: PayMethod['method'] | undefined) => {
    const failure = outcome.kind === 'declined' ? { ...outcome, declined: declinedBy(method) } : outcome;
    setProblem(failure);
    if (failure.kind !== 'closed' || failure.status === 'expired') showFailedPayment(failure);
    setPhase('form');
  };

  // Watches from the press on Pay, and while money may be on its way: the provider can also report to
  // the server alone.
  useOrderWatch(phase !== 'form' || isOpen ? watched : undefined, {
    believesFail: () => hasBegun.current,
    onStatus: () => setMoved(true),
    onUpdate: () => {
      for (const listener of listeners.current) listener();
    },
    onSuccess: settled,
    onFail: async outcome => {
      setMoved(true);
      setOpen(false);
      const mine = running.current;
      if (!mine) return failed(outcome, order.current?.method);
      await pause(CAUSE_MS);
      mine.resolve(outcome);
    },
  });

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
      async whileAsked(ask) {
        setAsked(true);
        return ask().finally(() => setAsked(false));
      },
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
    // Refused at the provider's page, from which the customer comes back.
    if (problem?.kind === 'declined') showFailedPayment(problem);
    if (!begun || !standing || !order.current) return;
    const handle = handleOf(order.current.metadata, amountDue(standing.total, standing), begun);
    const resume = async () => {
      const answer = await methodOf(begun)?.confirm(begun.nextAction, { email: '' }, handle);
      if (answer?.kind === 'elsewhere') setMeanwhile(answer.meanwhile);
    };
    void resume();
  }, []);

  async function tryToPay(priced: PricedProduct, buyer: Buyer, by: PayMethod): Promise<PayOutcome> {
    const metadata = await draft(priced, buyer, by);
    setWatched(metadata);
    const mine = running.current;
    const purchase = async (): Promise<OrderState> => {
      const answer = await sendPurchase({
        metadata,
        priced,
        buyer,
        by,
        reactivates: existing !== undefined && !existing.planId,
        replaces: replaces !== undefined,
      });
      hasBegun.current = true;
      setReserved({ credit: answer.credit, prorated: answer.prorated });
      if (answer.credit) void queryClient.invalidateQueries({ queryKey: ['cards'] });
      return answer;
    };
    return pay({
      purchase,
      confirm: payment =>
        // Of several cards, the one that was chosen.
        (payment.method === by.method ? by : (methodOf(payment) ?? by)).confirm(
          payment.nextAction,
          buyer,
          handleOf(metadata, amountDue(priced.total, buyer), payment, purchase),
        ),
      confirmPurchase: () => api.order.confirmPurchase({ body: { metadata } }),
      onCharged: () => mine === running.current && setPhase('processing'),
    });
  }

  const coverFor = (priced: PricedProduct) =>
    coverOf(priced, productOf(order.current) === priced.product.id ? reserved : {}, replaces?.unused);

  return {
    phase,
    meanwhile,
    problem,
    isOpen,
    /** Whether the page is covered: not while the bank asks, and not after an event (W34). */
    covers: phase !== 'form' && !isAsked && !isMoved && meanwhile === undefined,
    creditFor: (priced: PricedProduct, available: readonly Credit[]) => coverFor(priced).credit(available),
    proratedFor: (priced: PricedProduct) => coverFor(priced).prorated,
    /** Ignores a second click before React has rendered the busy button. */
    async pay(priced: PricedProduct, buyer: Buyer, by: PayMethod) {
      if (running.current) return;
      const mine = Promise.withResolvers<PayOutcome>();
      running.current = mine;
      hasBegun.current = false;
      forgetPaymentFailure();
      setPhase('paying');
      setMoved(false);
      setMeanwhile(undefined);
      setProblem(undefined);
      setOpen(false);
      try {
        // The live connection may say first that it failed, also while the bank still asks.
        const outcome = await Promise.race([tryToPay(priced, buyer, by), mine.promise]);
        if (outcome.kind === 'settled') return settled();
        if (outcome.kind === 'processing') {
          setMeanwhile(outcome.meanwhile);
          return setPhase('processing');
        }
        for (const method of payMethods) method.abandon?.();
        failed(outcome, by.method);
      } catch (error) {
        setPhase('form');
        if (isAboutCompany(error)) throw error;
        const outdated = outdatedPart(error);
        if (outdated) {
          setProblem({ kind: 'outdated', text: outdated });
          // The order has frozen the price, so the next attempt creates a new one.
          order.current = undefined;
          await queryClient.invalidateQueries();
        } else {
          if (!inSight()) return;
          if (!(error instanceof Cancelled)) setProblem(interrupted(error));
          showError(error);
          // The answer may be lost without the payment, so the order is watched.
          setOpen(order.current !== undefined);
        }
      } finally {
        running.current = undefined;
        hasBegun.current = true;
      }
    },
  };
}
