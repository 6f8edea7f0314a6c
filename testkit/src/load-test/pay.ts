import { clientSecretOf, confirmCard, type OrderState, paypalOrderOf } from '../buyer.ts';
import { createClient } from '../client.ts';
import { readWaiting } from './ledgers.ts';
import type { Prng } from './prng.ts';
import type { Shops } from './shops.ts';

export type Method = NonNullable<OrderState['payment']>['method'];

/** A payment as an order's page holds it: by which name its buyer pays it at the provider. */
export type Offer = { method: Method; name: string };

/**
 * How a payment goes: `refused`: nothing, or too little, comes of it; `slow`: somebody has a question, or takes his time;
 * `refunded`: it comes back to him, as far as it can.
 */
export type Turn = 'paid' | 'refused' | 'slow' | 'refunded';

/** What the page can have paid; undefined where there is nothing to pay, or nothing any more. */
export function offerOf(order: OrderState): Offer | undefined {
  const { method, payable } = order.payment ?? {};
  if (!method || !payable) return undefined;
  switch (payable.kind) {
    case 'confirm':
      return { method, name: clientSecretOf(order) };
    case 'redirect':
      return { method, name: paypalOrderOf(order) };
    case 'scan':
      return { method, name: payable.address ?? payable.text };
    case 'wait':
      return undefined;
  }
}

const cards: Record<Turn, readonly string[]> = {
  paid: ['pm_card_visa', 'pm_card_mastercard', 'pm_card_amex'],
  refused: [
    'pm_card_visa_chargeDeclined',
    'pm_card_visa_chargeDeclinedInsufficientFunds',
    'pm_card_chargeDeclinedExpiredCard',
    'pm_card_chargeDeclinedProcessingError',
  ],
  slow: ['pm_card_authenticationRequired'],
  // At once, after a while, never.
  refunded: ['pm_card_visa', 'pm_card_pendingRefund', 'pm_card_refundFail'],
};
const wallets: Record<Turn, string> = {
  paid: 'balance',
  refused: 'refusedCard',
  slow: 'bank',
  refunded: 'balance',
};

/**
 * Pays an order: a card by the shop, everything else at its provider. Whatever is refused or lost on the way looks the same
 * to its buyer.
 * @param metadata the order's
 */
export async function payOffer(
  shops: Shops,
  metadata: string,
  offer: Offer,
  turn: Turn,
  prng: Prng,
): Promise<void> {
  await pay(shops, metadata, offer, turn, prng).catch(() => undefined);
}

async function pay(
  shops: Shops,
  metadata: string,
  { method, name }: Offer,
  turn: Turn,
  prng: Prng,
): Promise<void> {
  const { control } = shops;
  switch (method) {
    case 'card': {
      const card = prng.pick(cards[turn]);
      // Whoever holds the secret can also pay past the shop.
      await (prng.chance(0.25)
        ? confirmCard({ url: shops.node(), sandboxUrl: shops.sandboxUrl }, name, card)
        : createClient(shops.node()).order.confirmPurchase({ body: { metadata, card } })
      ).catch(() => undefined);
      if (turn === 'slow') await control('3ds/complete', { intent: name.split('_secret')[0] });
      return;
    }
    case 'paypal':
      await control('paypal/approve', { order: name, funding: wallets[turn] });
      return;
    case 'promptpay':
      await control(turn === 'refused' ? 'promptpay/expire' : 'promptpay/pay', { intent: name });
      return;
    case 'bitcoin':
      await sendCoins(control, name, turn, prng);
  }
}

/** To an address: exactly, in part, taken back, too many, or with nobody who confirms them yet. */
async function sendCoins(control: Shops['control'], invoice: string, turn: Turn, prng: Prng): Promise<void> {
  const takenBack = turn === 'refused' && prng.chance(0.5);
  const share = turn === 'refused' && !takenBack ? 0.4 : turn === 'slow' && prng.chance(0.5) ? 1.7 : 1;
  await control('btcpay/pay', { invoice, share });
  if (takenBack) await control('btcpay/doubleSpend', { invoice });
  else if (turn !== 'slow') await control('btcpay/confirm', { invoice });
}

/**
 * Others do what payments and refunds wait for: banks answer, blocks come, payers say where their money goes.
 * @param declines whether a bank says no
 */
export async function settleWaiting(
  control: Shops['control'],
  declines: () => boolean = () => false,
): Promise<void> {
  const { captures, coins, refunds } = await readWaiting(control);
  const late = () => undefined;
  for (const capture of captures) {
    const outcome = declines() ? 'declined' : 'completed';
    await control('paypal/captures/settle', { capture, outcome }).catch(late);
  }
  for (const invoice of coins) await control('btcpay/confirm', { invoice }).catch(late);
  for (const refund of refunds) await control('refunds/settle', { refund, outcome: 'pending' }).catch(late);
}
