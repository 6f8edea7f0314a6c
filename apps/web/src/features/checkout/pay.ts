import { Fault, isPassing, Refusal } from '@fixpoint/web-client/faults.ts';
import type { ReactNode } from 'react';
import { refusalOf } from '../../shop/decline.ts';
import type { OpenPayment, OrderState, PayAnswer } from '../../shop/pay-method.ts';
import { outcomeOf } from './watch-order.ts';

export type PayOutcome =
  | { kind: 'settled' }
  /** The money may be on its way: wait for the server, ask for no second payment. */
  | { kind: 'processing'; meanwhile?: ReactNode }
  | Extract<PayAnswer, { kind: 'declined' | 'refused' }>
  | { kind: 'closed'; status: 'expired' | 'refunded' };

/** What a payment is for, as it stands: an order, or an invoice. */
export type Payee = Pick<OrderState, 'status' | 'payment' | 'failure' | 'cause'>;

type Steps = {
  /** `purchase` or `purchaseLogin`: the same order however often it is called. */
  purchase: () => Promise<Payee>;
  /** By the method that was chosen, or that money is on its way by. */
  confirm: (payment: OpenPayment) => Promise<PayAnswer>;
  /** `confirmPurchase`: the server asks the provider and settles. */
  confirmPurchase: () => Promise<Payee>;
  /** The provider has the payment, as far as the page can know; what follows is waiting. */
  onCharged: () => void;
};

/** Pays an order once: each step may be repeated, none charges twice. Throws what `purchase` throws. */
export async function pay(steps: Steps): Promise<PayOutcome> {
  const order = await steps.purchase();
  const known = outcomeOfOrder(order);
  if (known?.kind === 'settled' || known?.kind === 'closed') return known;
  if (!order.payment) return known ?? { kind: 'processing' };

  const answer = await steps.confirm(order.payment);
  if (answer.kind === 'declined' || answer.kind === 'refused') return answer;
  if (answer.kind === 'elsewhere') return { kind: 'processing', meanwhile: answer.meanwhile };
  steps.onCharged();
  const outcome = await settle(steps);
  // Nobody has the payment: to wait for it would be in vain, and the same order is charged once at most.
  if (outcome.kind === 'processing' && answer.kind === 'unknown') {
    throw new Fault('the payment did not arrive');
  }
  return outcome;
}

async function settle({ confirmPurchase }: Steps): Promise<PayOutcome> {
  try {
    return outcomeOfOrder(await confirmPurchase()) ?? { kind: 'processing' };
  } catch (error) {
    if (error instanceof Refusal && !isPassing(error) && isDecline(error.code)) {
      return { kind: 'declined', code: error.code };
    }
    // Not knowing is not failing: the server finds out by itself and the page waits for it.
    return { kind: 'processing' };
  }
}

/**
 * What a payment elsewhere shows of an answer. What is paid has no open payment any more, and its code has not run out:
 * nobody who has just paid may be told to show another.
 */
export const asShown = (
  before: OpenPayment,
  { status, payment }: Pick<Payee, 'status' | 'payment'>,
): OpenPayment | undefined =>
  outcomeOf(status) === 'success' ? { ...before, payable: { kind: 'wait' } } : payment;

/** Undefined while the order still waits for its payment. */
function outcomeOfOrder(order: Payee): PayOutcome | undefined {
  if (outcomeOf(order.status) === 'success') return { kind: 'settled' };
  if (order.status === 'expired' || order.status === 'refunded')
    return { kind: 'closed', status: order.status };
  if (order.status === 'failed') return refusalOf(order);
  return undefined;
}

const isDecline = (code: string): boolean => code === '2002' || code === 'insufficient_funds';
