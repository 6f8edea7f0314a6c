import type { paymentCalls } from '@fixpoint/contract/calls/payment.ts';
import type { DataOf } from '@fixpoint/contract/endpoint.ts';
import { useInSight } from '@fixpoint/ui/lib/in-sight.ts';
import { Cancelled } from '@fixpoint/web-client/faults.ts';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { orderRefusal } from '../../shop/decline.ts';
import type { InvoiceCalls } from '../../shop/invoice-calls.ts';
import type { OpenPayment, PayMethod, PaymentHandle } from '../../shop/pay-method.ts';
import { forgetPaymentFailure } from '../../shop/payment-failure.ts';
import { showError } from '../../shop/snack.ts';
import { type PaymentState, type PayOutcome, pay, paymentToShow } from './pay.ts';
import { interrupted, type Problem, showFailedPayment, useBackOnline } from './problem-text.ts';

type InvoiceState = DataOf<(typeof paymentCalls)['payment']>;

/** Polling interval of a pending payment, ms. The server also learns of it by webhook. */
const POLL_MS = 15_000;

type Options = {
  invoice: { currency: string; amount: number };
  calls: InvoiceCalls;
  payMethods: readonly PayMethod[];
  /** The customer comes back from the provider's page, having agreed. */
  agreed: boolean;
  /** The invoice is paid or void. */
  onOver: () => void;
};

/** Pays an open invoice. Every step may be repeated; none charges twice. */
export function useInvoicePayment({ invoice, calls, payMethods, agreed, onOver }: Options) {
  const { currency, amount } = invoice;
  const [phase, setPhase] = useState<'form' | 'paying' | 'processing'>(agreed ? 'processing' : 'form');
  const [meanwhile, setMeanwhile] = useState<ReactNode>();
  const [problem, setProblem] = useState<Problem>();
  const inSight = useInSight();
  useBackOnline(problem, () => setProblem(undefined));
  /** The bank asks, so that the page is free. */
  const [isAsked, setAsked] = useState(false);
  const running = useRef(false);
  const over = useRef(false);
  const end = () => {
    if (over.current) return;
    over.current = true;
    onOver();
  };
  /** Method of the last payment. Only PayPal redirects for consent. */
  const by = useRef<PayMethod['method'] | undefined>(agreed ? 'paypal' : undefined);
  const failed = (failure: Extract<Problem, { kind: 'declined' | 'refused' }>) => {
    const declined = payMethods.find(({ method }) => method === by.current)?.declined;
    const problem = failure.kind === 'declined' ? { ...failure, declined } : failure;
    setProblem(problem);
    showFailedPayment(problem);
  };
  const endUnlessOpen = (answer: InvoiceState) => {
    if (answer.status !== 'open') end();
    return answer;
  };
  const ask = async () => endUnlessOpen(await calls.ask());

  // The method's own content polls by itself.
  const waits = phase === 'processing' && meanwhile === undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: one watch per waiting period
  useEffect(() => {
    if (!waits) return;
    let disposed = false;
    const look = async () => {
      const answer = await ask().catch(() => undefined);
      // An answer from before this attempt says nothing about it.
      if (disposed || answer?.status !== 'open') return;
      if (answer.failure) failed(orderRefusal(answer));
      // No payment is under way: the customer has to act.
      if (answer.failure || answer.payment?.nextAction.kind !== 'wait') setPhase('form');
    };
    if (agreed) void look();
    const timer = setInterval(() => void look(), POLL_MS);
    return () => {
      disposed = true;
      clearInterval(timer);
    };
  }, [waits]);

  const cancel = () => {
    setMeanwhile(undefined);
    setPhase('form');
  };
  const open = ({ method, saved }: PayMethod) => calls.pay({ paymentMethod: method, ...saved });
  const handleOf = (by: PayMethod, payment: OpenPayment): PaymentHandle => ({
    total: { currency, price: amount },
    payment,
    cancel,
    async whileAsked(question) {
      setAsked(true);
      return question().finally(() => setAsked(false));
    },
    payByCard: card => calls.pay({ paymentMethod: 'card', card }),
    ask: async () => paymentToShow(payment, paymentStateOf(await ask())),
    renew: async () => paymentToShow(payment, paymentStateOf(endUnlessOpen(await open(by)))),
    subscribe: () => () => undefined,
  });

  return {
    phase,
    meanwhile,
    problem,
    /** Whether the page is covered: not while the bank asks, or a code or a waiting page is shown. */
    covers: phase === 'paying' && !isAsked,
    /** Ignores a second click before React has rendered the busy button. */
    async pay(chosen: PayMethod, buyer: { email: string }) {
      if (running.current) return;
      running.current = true;
      by.current = chosen.method;
      forgetPaymentFailure();
      setPhase('paying');
      setProblem(undefined);
      // Of several cards, the one that was chosen.
      const methodOf = ({ method }: OpenPayment) =>
        (method !== chosen.method && payMethods.find(known => known.method === method)) || chosen;
      try {
        const outcome: PayOutcome = await pay({
          purchase: async () => paymentStateOf(await open(chosen)),
          confirm: payment =>
            methodOf(payment).confirm(payment.nextAction, buyer, handleOf(methodOf(payment), payment)),
          confirmPurchase: async () => paymentStateOf(await ask()),
          onCharged: () => setPhase('processing'),
        });
        if (outcome.kind === 'settled' || outcome.kind === 'closed') return end();
        if (outcome.kind === 'processing') {
          setMeanwhile(outcome.meanwhile);
          return setPhase('processing');
        }
        failed(outcome);
        setPhase('form');
      } catch (error) {
        setPhase('form');
        if (!inSight()) return;
        if (!(error instanceof Cancelled)) setProblem(interrupted(error));
        showError(error);
      } finally {
        running.current = false;
      }
    },
  };
}

const statuses = { open: 'awaitingPayment', paid: 'paid', void: 'expired' } as const;

/** Maps an invoice to the state of an order. */
const paymentStateOf = ({ status, ...tried }: InvoiceState): PaymentState => ({
  ...tried,
  status: tried.failure ? 'failed' : statuses[status],
});
