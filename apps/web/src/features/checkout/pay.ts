import { Fault, isTransient, Refusal } from '@fixpoint/web-client/faults.ts';
import type { ReactNode } from 'react';
import { orderRefusal } from '../../shop/decline.ts';
import type { OpenPayment, OrderState, PayAnswer } from '../../shop/pay-method.ts';
import { outcomeOf } from './watch-order.ts';

export type PayOutcome =
  | { kind: 'settled' }
  /** The money may be on its way: wait for the server, never request a second payment. */
  | { kind: 'processing'; meanwhile?: ReactNode }
  | Extract<PayAnswer, { kind: 'declined' | 'refused' }>
  | { kind: 'closed'; status: 'expired' | 'refunded' };

/** State of what is being paid: an order or an invoice. */
export type PaymentState = Pick<OrderState, 'status' | 'payment' | 'failure' | 'cause'>;

type Steps = {
  /** `purchase` or `purchaseLogin`; repeated calls return the same order. */
  purchase: () => Promise<PaymentState>;
  /** Runs the chosen method, or the one whose payment is already under way. */
  confirm: (payment: OpenPayment) => Promise<PayAnswer>;
  /** `confirmPurchase`: the server asks the provider and settles. */
  confirmPurchase: () => Promise<PaymentState>;
  /** The provider has the payment, as far as the page knows; the rest is waiting. */
  onCharged: () => void;
};

/**
 * Pays an order once: each step may be repeated, none charges twice. Throws what `purchase` throws.
 */
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
  // Nobody has the payment, so waiting is pointless. A retry is safe: an order is charged at most
  // once.
  if (outcome.kind === 'processing' && answer.kind === 'unknown') {
    throw new Fault('neither provider nor server has the payment');
  }
  return outcome;
}

async function settle({ confirmPurchase }: Steps): Promise<PayOutcome> {
  try {
    return outcomeOfOrder(await confirmPurchase()) ?? { kind: 'processing' };
  } catch (error) {
    if (error instanceof Refusal && !isTransient(error) && isDecline(error.code)) {
      return { kind: 'declined', code: error.code };
    }
    // An unknown outcome is no failure: the server finds out, and the page waits for it.
    return { kind: 'processing' };
  }
}

/**
 * What a payment elsewhere shows after an answer. A paid order has no open payment, but its code
 * has not expired: a customer who has just paid must not be told to scan another one.
 */
export const paymentToShow = (
  before: OpenPayment,
  { status, payment }: Pick<PaymentState, 'status' | 'payment'>,
): OpenPayment | undefined =>
  outcomeOf(status) === 'success' ? { ...before, nextAction: { kind: 'wait' } } : payment;

/** Undefined while the order waits for its payment. */
function outcomeOfOrder(order: PaymentState): PayOutcome | undefined {
  if (outcomeOf(order.status) === 'success') return { kind: 'settled' };
  if (order.status === 'expired' || order.status === 'refunded')
    return { kind: 'closed', status: order.status };
  if (order.status === 'failed') return orderRefusal(order);
  return undefined;
}

const isDecline = (code: string): boolean => code === '2002' || code === 'insufficient_funds';
