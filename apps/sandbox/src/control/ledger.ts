import type { World } from '../stripe/world.ts';

/** What the provider holds to be paid, for comparison with the shop's own books (P28, X31). */
export type Ledger = {
  charges: {
    charge: string;
    payment_intent: string;
    amount: number;
    currency: string;
    metadata: Record<string, string>;
    disputed: boolean;
  }[];
  refunds: {
    refund: string;
    charge: string;
    payment_intent: string | null;
    amount: number;
    currency: string;
    status: string;
  }[];
  /** Successful charges less successful refunds, in minor units by currency. */
  totals: Record<string, number>;
};

/** Every successful charge and every refund, with the sums. */
export function ledger(world: World): Ledger {
  const charges = world.charges
    .all()
    .filter(charge => charge.status === 'succeeded')
    .map(charge => ({
      charge: charge.id,
      payment_intent: String(charge.payment_intent),
      amount: charge.amount,
      currency: charge.currency,
      metadata: charge.metadata,
      disputed: charge.disputed,
    }));
  const refunds = world.refunds.all().map(refund => ({
    refund: refund.id,
    charge: String(refund.charge),
    payment_intent: refund.payment_intent as string | null,
    amount: refund.amount,
    currency: refund.currency,
    status: refund.status ?? '',
  }));
  const totals: Record<string, number> = {};
  for (const { currency, amount } of charges) totals[currency] = (totals[currency] ?? 0) + amount;
  for (const { currency, amount, status } of refunds) {
    if (status === 'succeeded') totals[currency] = (totals[currency] ?? 0) - amount;
  }
  return { charges, refunds, totals };
}
