import type { orderCalls } from '@fixpoint/contract/calls/order.ts';
import type { DataOf } from '@fixpoint/contract/endpoint.ts';
import { Fault, isPassing, Refusal } from '../../lib/faults.ts';
import type { CardResult } from './card-messages.ts';
import { outcomeOf } from './watch-order.ts';

export type OrderState = DataOf<(typeof orderCalls)['purchase']>;

export type PayOutcome =
  | { kind: 'settled' }
  /** The money may be on its way: wait for the server, ask for no second payment. */
  | { kind: 'processing' }
  /** `code` of the catalogue: 2002 or insufficient_funds. */
  | { kind: 'declined'; code: string }
  | { kind: 'authenticationFailed' }
  /** The provider found the card data wrong; `message` is in the language of its fields. */
  | { kind: 'cardInvalid'; message: string | undefined }
  | { kind: 'closed'; status: 'expired' | 'refunded' };

type Steps = {
  /** `purchase` or `purchaseLogin`: the same order however often it is called. */
  purchase: () => Promise<OrderState>;
  confirmCard: (clientSecret: string) => Promise<CardResult>;
  /** `confirmPurchase`: the server asks the provider and settles. */
  confirmPurchase: () => Promise<OrderState>;
  /** The provider has taken the card; what follows is waiting. */
  onCharged: () => void;
};

/** Pays an order once: each step may be repeated, none charges twice. Throws what `purchase` throws. */
export async function pay(steps: Steps): Promise<PayOutcome> {
  const order = await steps.purchase();
  const known = outcomeOfOrder(order);
  if (known?.kind === 'settled' || known?.kind === 'closed') return known;
  const payable = order.payment?.payable;
  if (payable?.kind !== 'confirm') return known ?? { kind: 'processing' };

  const { error } = await steps.confirmCard(payable.clientSecret);
  const refused = error && outcomeOfCardError(error);
  if (refused) return refused;
  steps.onCharged();
  const outcome = await settle(steps);
  // Nobody has the payment: to wait for it would be in vain, and the same order is charged once at most.
  if (outcome.kind === 'processing' && error && error.code !== TAKEN)
    throw new Fault('the card did not arrive');
  return outcome;
}

/** The provider has the payment already, from another window or an answer that got lost. */
const TAKEN = 'payment_intent_unexpected_state';

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

/** Undefined while the order still waits for its payment. */
function outcomeOfOrder(order: OrderState): PayOutcome | undefined {
  if (outcomeOf(order.status) === 'success') return { kind: 'settled' };
  if (order.status === 'expired' || order.status === 'refunded')
    return { kind: 'closed', status: order.status };
  if (order.status === 'failed') return { kind: 'declined', code: order.failure ?? '2002' };
  return undefined;
}

const isDecline = (code: string): boolean => code === '2002' || code === 'insufficient_funds';

/**
 * What an error of the card provider means (P13, P16). Undefined when it does not say that nothing was
 * charged: connection lost, or the payment is settled already (a second window); then the server is asked.
 */
function outcomeOfCardError(error: NonNullable<CardResult['error']>): PayOutcome | undefined {
  if (error.type === 'validation_error') return { kind: 'cardInvalid', message: error.message };
  if (error.code === 'payment_intent_authentication_failure') return { kind: 'authenticationFailed' };
  if (error.type !== 'card_error') return undefined;
  const insufficient = error.decline_code === 'insufficient_funds' || error.code === 'insufficient_funds';
  return { kind: 'declined', code: insufficient ? 'insufficient_funds' : '2002' };
}
