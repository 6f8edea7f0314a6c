import type { GatewayMovement } from '../../ports/gateway-books.ts';

/**
 * Why the two sides may differ for a while. `fee`: of a payment that both have alike. `unlisted`:
 * such a payment is not on the gateway's balance yet. `payment`: succeeded within the last minutes.
 * `later`: what happened after the gateway's report. `foreign`: declared so by staff.
 */
export type Reason = 'fee' | 'unlisted' | 'payment' | 'refund' | 'later' | 'foreign';

/** Part of a difference between balances that single rows explain. */
export type UnderWay = { reason: Reason; currency: string; amount: number; count: number };

/** Amounts by currency. */
export type Effect = Readonly<Record<string, number>>;

/** Sum of effects; `sign` -1 subtracts. */
export function addUp(...effects: readonly (readonly [Effect, sign?: -1])[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const [effect, sign = 1] of effects) {
    for (const [currency, amount] of Object.entries(effect))
      sums[currency] = (sums[currency] ?? 0) + sign * amount;
  }
  return sums;
}

/** Effect of a movement at its gateway, in the currency that it settles in. */
export const effectThere = ({ currency, net }: Pick<GatewayMovement, 'currency' | 'net'>): Effect => ({
  [currency]: net,
});

/** What our books add for a movement once they keep it: what a sale moved is in them already. */
export const effectHere = (movement: Pick<GatewayMovement, 'currency' | 'net' | 'sold'>): Effect =>
  addUp([effectThere(movement)], ...(movement.sold ? [[effectThere(movement.sold), -1] as const] : []));

/** Collects what is under way. */
export function createUnderWay() {
  const found = new Map<string, UnderWay>();
  return {
    /** Notes an effect that only the gateway has yet; negative: that only we have. */
    add(reason: Reason, effect: Effect): void {
      for (const [currency, amount] of Object.entries(effect)) {
        if (amount === 0) continue;
        const known = found.get(`${reason} ${currency}`) ?? { reason, currency, amount: 0, count: 0 };
        found.set(`${reason} ${currency}`, {
          ...known,
          amount: known.amount + amount,
          count: known.count + 1,
        });
      }
    },
    list: (): UnderWay[] => [...found.values()],
  };
}
export type UnderWayList = ReturnType<typeof createUnderWay>;
