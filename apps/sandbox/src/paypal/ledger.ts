import { captureOf } from './orders.ts';
import type { PaypalState } from './state.ts';

/** PayPal's money records, oldest first. Amounts in the smallest unit of their currency. */
export type PaypalLedger = {
  orders: { order: string; status: string; amount: string; currency: string; customId: string | undefined }[];
  captures: {
    capture: string;
    order: string;
    status: string;
    amount: string;
    fee: string | undefined;
    currency: string;
    customId: string;
  }[];
  refunds: {
    refund: string;
    order: string;
    status: string;
    amount: string;
    currency: string;
    customId?: string;
  }[];
  /** Movements by payments and refunds, by currency. */
  balances: Record<string, { gross: number; fees: number; net: number }>;
  tokens: string[];
};

export function paypalLedger(state: PaypalState): PaypalLedger {
  const orders = state.orders.all();
  const balances: PaypalLedger['balances'] = {};
  for (const { kind, currency, gross, fee, net } of state.movements.all()) {
    const sum = balances[currency] ?? { gross: 0, fees: 0, net: 0 };
    // A movement that is a fee only.
    const charged = kind === 'disputeFee' ? -gross : 0;
    balances[currency] = {
      gross: sum.gross + gross + charged,
      fees: sum.fees + fee + charged,
      net: sum.net + net,
    };
  }
  return {
    orders: orders.map(({ id, status, purchase_units: [{ amount, custom_id }] }) => ({
      order: id,
      status,
      amount: amount.value,
      currency: amount.currency_code,
      customId: custom_id,
    })),
    captures: orders.flatMap(order => {
      const capture = captureOf(order);
      return capture
        ? {
            capture: capture.id,
            order: order.id,
            status: capture.status,
            amount: capture.amount.value,
            fee: capture.seller_receivable_breakdown?.paypal_fee?.value,
            currency: capture.amount.currency_code,
            customId: capture.custom_id,
          }
        : [];
    }),
    refunds: orders.flatMap(order =>
      (order.purchase_units[0].payments?.refunds ?? []).map(({ id, status, amount, custom_id }) => ({
        refund: id,
        order: order.id,
        status,
        amount: amount.value,
        currency: amount.currency_code,
        ...(custom_id && { customId: custom_id }),
      })),
    ),
    balances,
    tokens: state.tokens.all().map(({ id }) => id),
  };
}
