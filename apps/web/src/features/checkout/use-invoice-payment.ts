import type { paymentCalls } from '@fixpoint/contract/calls/payment.ts';
import type { DataOf } from '@fixpoint/contract/endpoint.ts';
import { Cancelled } from '@fixpoint/web-client/faults.ts';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { api } from '../../server/api.ts';
import { refusalOf } from '../../shop/decline.ts';
import type { OpenPayment, PayDesk, PayMethod } from '../../shop/pay-method.ts';
import { showError } from '../../shop/snack.ts';
import { asShown, type Payee, type PayOutcome, pay } from './pay.ts';
import type { Problem } from './use-checkout.ts';

type InvoiceState = DataOf<(typeof paymentCalls)['payment']>;

/** While money is on its way: the shop hears of it by itself, and says so when it is asked. */
const ASK_MS = 15_000;

type Options = {
  invoice: { id: string; currency: string; amount: number };
  payMethods: readonly PayMethod[];
  /** Its customer comes back from a provider's page where he agreed. */
  agreed: boolean;
  /** It is paid, or nobody is to pay it any more. */
  onOver: () => void;
};

/** Pays an open invoice: every step may be repeated, and none charges twice. */
export function useInvoicePayment({ invoice, payMethods, agreed, onOver }: Options) {
  const { id: invoiceId, currency, amount } = invoice;
  const [phase, setPhase] = useState<'form' | 'paying' | 'processing'>(agreed ? 'processing' : 'form');
  const [meanwhile, setMeanwhile] = useState<ReactNode>();
  const [problem, setProblem] = useState<Problem>();
  const running = useRef(false);
  const over = useRef(false);
  const end = () => {
    if (over.current) return;
    over.current = true;
    onOver();
  };
  const told = (answer: InvoiceState) => {
    if (answer.status !== 'open') end();
    return answer;
  };
  const ask = async () => told(await api.payment.askInvoice({ body: { invoiceId } }));

  // What is shown meanwhile asks by itself.
  const waits = phase === 'processing' && meanwhile === undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: one watch for one time of waiting
  useEffect(() => {
    if (!waits) return;
    let left = false;
    const look = async () => {
      const answer = await ask().catch(() => undefined);
      // An answer that was waited for before says nothing of what is being paid by now.
      if (left || answer?.status !== 'open') return;
      if (answer.failure) setProblem(refusalOf(answer));
      // Nothing is on its way any more, or nothing ever was: it is the customer's turn.
      if (answer.failure || answer.payment?.payable.kind !== 'wait') setPhase('form');
    };
    if (agreed) void look();
    const timer = setInterval(() => void look(), ASK_MS);
    return () => {
      left = true;
      clearInterval(timer);
    };
  }, [waits]);

  const leave = () => {
    setMeanwhile(undefined);
    setPhase('form');
  };
  const open = ({ method, saved }: PayMethod) =>
    api.payment.payment({ body: { invoiceId, paymentMethod: method, ...saved } });
  const deskOf = (by: PayMethod, payment: OpenPayment): PayDesk => ({
    total: { currency, price: amount },
    payment,
    leave,
    byCard: card => api.payment.payment({ body: { invoiceId, paymentMethod: 'card', card } }),
    ask: async () => asShown(payment, payeeOf(await ask())),
    renew: async () => asShown(payment, payeeOf(told(await open(by)))),
    listen: () => () => undefined,
  });

  return {
    phase,
    meanwhile,
    problem,
    /** Swallows a second press at once, before React has drawn the busy button. */
    async pay(by: PayMethod, buyer: { email: string }) {
      if (running.current) return;
      running.current = true;
      setPhase('paying');
      setProblem(undefined);
      const methodOf = ({ method }: OpenPayment) => payMethods.find(known => known.method === method) ?? by;
      try {
        const outcome: PayOutcome = await pay({
          purchase: async () => payeeOf(await open(by)),
          confirm: payment =>
            methodOf(payment).confirm(payment.payable, buyer, deskOf(methodOf(payment), payment)),
          confirmPurchase: async () => payeeOf(await ask()),
          onCharged: () => setPhase('processing'),
        });
        if (outcome.kind === 'settled' || outcome.kind === 'closed') return end();
        if (outcome.kind === 'processing') {
          setMeanwhile(outcome.meanwhile);
          return setPhase('processing');
        }
        setProblem(outcome);
        setPhase('form');
      } catch (error) {
        setPhase('form');
        if (!(error instanceof Cancelled)) setProblem({ kind: 'interrupted', error });
        showError(error);
      } finally {
        running.current = false;
      }
    },
  };
}

const statuses = { open: 'awaitingPayment', paid: 'paid', void: 'expired' } as const;

/** An invoice as an order that is paid. */
const payeeOf = ({ status, ...tried }: InvoiceState): Payee => ({
  ...tried,
  status: tried.failure ? 'failed' : statuses[status],
});
