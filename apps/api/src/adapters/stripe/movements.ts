import { fromProviderUnit } from '@fixpoint/domain/kernel/money.ts';
import type Stripe from 'stripe';
import type { GatewayMovement, MovementKind } from '../../ports/gateway-books.ts';
import { movedOf, type Of } from './settled.ts';

/**
 * Kinds by reporting category (docs.stripe.com/reports/reporting-categories). Every other category,
 * also one that Stripe adds later, is an adjustment and shown by its name.
 */
const KINDS: Readonly<Record<string, MovementKind>> = {
  charge: 'payment',
  refund: 'refund',
  refund_failure: 'refund',
  dispute: 'dispute',
  dispute_reversal: 'dispute',
  payout: 'payout',
  payout_reversal: 'payoutReturned',
  topup: 'topUp',
  topup_reversal: 'topUp',
  fee: 'bill',
  tax: 'bill',
  network_cost: 'bill',
  risk_reserved_funds: 'reserve',
};

/** Parts of a movement that are kept, because there may be hundreds of thousands. */
export const movementRow = (transaction: Stripe.BalanceTransaction) => ({
  id: transaction.id,
  at: new Date(transaction.created * 1000),
  source: idOf(transaction.source),
  category: transaction.reporting_category,
  currency: transaction.currency,
  amount: transaction.amount,
  fee: transaction.fee,
  net: transaction.net,
  rate: transaction.exchange_rate,
  description: transaction.description ?? undefined,
});
export type MovementRow = ReturnType<typeof movementRow>;

export const idOf = (source: string | { id: string } | null): string | undefined =>
  typeof source === 'object' ? source?.id : source;

/**
 * Movements by what they belong to.
 * @param sales objects with movements, by ID; `ref`: their name in a statement
 * @param destinations bank accounts of payouts
 */
export function movementsOf(
  rows: readonly MovementRow[],
  sales: ReadonlyMap<string, Of & { ref: string }>,
  destinations: ReadonlyMap<string, string | undefined>,
): GatewayMovement[] {
  const bySource = Map.groupBy(rows, ({ id, source }) => source ?? id);
  return [...bySource].flatMap(([source, all]) => {
    const of = sales.get(source);
    return all.map(row => {
      const { id, at, category, description } = row;
      const kind = KINDS[category] ?? 'adjustment';
      return {
        id,
        kind,
        category,
        at,
        description,
        of: row.source && (of?.ref ?? row.source),
        ...inHundredths(row.currency, row.net),
        ...(of && of.currency.toLowerCase() !== row.currency && { sold: soldOf(of, row, all) }),
        ...(kind === 'payout' && { destination: destinations.get(source) }),
      };
    });
  });
}

/** Effect of a converted movement in the currency of its sale. */
function soldOf(of: Of, row: MovementRow, all: readonly MovementRow[]) {
  const main = all.find(({ amount }) => amount !== 0);
  const { amount, fee } = movedOf(of, [row], main);
  return { currency: of.currency.toUpperCase(), net: amount - fee, rate: row.rate ?? main?.rate ?? 1 };
}

/** Amounts of a currency of Stripe's, such as `thb`, in hundredths. */
export function inHundredths(unit: string, minor: number): { currency: string; net: number } {
  const currency = unit.toUpperCase();
  return { currency, net: fromProviderUnit(currency, minor) };
}

/** Effects of payments by their references, in the currency of the sale. */
export function paymentEffects(movements: readonly GatewayMovement[]): Map<string, number> {
  const nets = new Map<string, number>();
  for (const { kind, of, net, sold } of movements) {
    if (kind === 'payment' && of) nets.set(of, (nets.get(of) ?? 0) + (sold?.net ?? net));
  }
  return nets;
}
