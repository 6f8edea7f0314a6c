import { cardPaymentOf, type OrderState, paypalOrderOf } from '../buyer.ts';
import { createClient } from '../client.ts';
import { readPending } from './ledgers.ts';
import type { Prng } from './prng.ts';
import type { Shops } from './shops.ts';

export type Method = NonNullable<OrderState['payment']>['method'];

/** A payment on an order's page, with the name by which its buyer pays it at the provider. */
export type PaymentHandle = { method: Method; name: string };

/**
 * Outcome of a payment. `refused`: nothing or too little arrives. `slow`: the bank asks or takes time. `refunded`: it is
 * refunded as far as possible.
 */
export type Outcome = 'paid' | 'refused' | 'slow' | 'refunded';

/** The payment that the page offers; undefined when there is none to pay. */
export function paymentHandleOf(order: OrderState): PaymentHandle | undefined {
  const { method, nextAction } = order.payment ?? {};
  if (!method || !nextAction) return undefined;
  switch (nextAction.kind) {
    case 'card':
      return { method, name: cardPaymentOf(order) };
    case 'redirect':
      return { method, name: paypalOrderOf(order) };
    case 'scan':
      return { method, name: nextAction.address ?? nextAction.text };
    case 'authenticate':
    case 'wait':
      return undefined;
  }
}

const cards: Record<Outcome, readonly string[]> = {
  paid: ['pm_card_visa', 'pm_card_mastercard', 'pm_card_amex'],
  refused: [
    'pm_card_visa_chargeDeclined',
    'pm_card_visa_chargeDeclinedInsufficientFunds',
    'pm_card_chargeDeclinedExpiredCard',
    'pm_card_chargeDeclinedProcessingError',
  ],
  slow: ['pm_card_authenticationRequired'],
  // Refunds arrive at once, later, never.
  refunded: ['pm_card_visa', 'pm_card_pendingRefund', 'pm_card_refundFail'],
};
const wallets: Record<Outcome, string> = {
  paid: 'balance',
  refused: 'refusedCard',
  slow: 'bank',
  refunded: 'balance',
};

/**
 * Pays an order: a card through the shop, other methods at their provider. A refusal and a lost answer look alike to the
 * buyer.
 * @param metadata of the order
 */
export async function payAtProvider(
  shops: Shops,
  metadata: string,
  payment: PaymentHandle,
  outcome: Outcome,
  prng: Prng,
): Promise<void> {
  await pay(shops, metadata, payment, outcome, prng).catch(() => undefined);
}

async function pay(
  shops: Shops,
  metadata: string,
  { method, name }: PaymentHandle,
  outcome: Outcome,
  prng: Prng,
): Promise<void> {
  const { control } = shops;
  switch (method) {
    case 'card': {
      const card = prng.pick(cards[outcome]);
      await createClient(shops.node())
        .order.confirmPurchase({ body: { metadata, card } })
        .catch(() => undefined);
      if (outcome === 'slow') await control('3ds/complete', { intent: name });
      return;
    }
    case 'paypal':
      await control('paypal/approve', { order: name, funding: wallets[outcome] });
      return;
    case 'promptpay':
      await control(outcome === 'refused' ? 'promptpay/expire' : 'promptpay/pay', { intent: name });
      return;
    case 'bitcoin':
      await sendCoins(control, name, outcome, prng);
  }
}

/** Sends bitcoin: the exact amount, a part, too much, double-spent, or without a confirmation yet. */
async function sendCoins(
  control: Shops['control'],
  invoice: string,
  outcome: Outcome,
  prng: Prng,
): Promise<void> {
  const takenBack = outcome === 'refused' && prng.chance(0.5);
  const share = outcome === 'refused' && !takenBack ? 0.4 : outcome === 'slow' && prng.chance(0.5) ? 1.7 : 1;
  await control('btcpay/pay', { invoice, share });
  if (takenBack) await control('btcpay/doubleSpend', { invoice });
  else if (outcome !== 'slow') await control('btcpay/confirm', { invoice });
}

/**
 * Finishes what third parties do: banks answer, blocks are mined, payers name the account for their refund.
 * @param declines whether a bank declines
 */
export async function settlePending(
  control: Shops['control'],
  declines: () => boolean = () => false,
): Promise<void> {
  const { captures, coins, refunds } = await readPending(control);
  const late = () => undefined;
  for (const capture of captures) {
    const outcome = declines() ? 'declined' : 'completed';
    await control('paypal/captures/settle', { capture, outcome }).catch(late);
  }
  for (const invoice of coins) await control('btcpay/confirm', { invoice }).catch(late);
  for (const refund of refunds) await control('refunds/settle', { refund, outcome: 'pending' }).catch(late);
}
