import type { World } from './world.ts';

/** What a whole unit of each currency is in baht, on a day like any other. */
const IN_BAHT: Record<string, number> = { thb: 1, usd: 35, eur: 40, gbp: 46, sgd: 27, jpy: 0.24, krw: 0.026 };
/** Currencies whose smallest unit is the whole one. */
export const ZERO_DECIMAL = new Set(['jpy', 'krw', 'vnd']);
const DAY_SECONDS = 86_400;

/** How many whole units of `into` one of `from` is today. It moves from day to day, so what goes back is not what came. */
function rateToday({ clock }: World, from: string, into: string): number {
  const [here, there] = [IN_BAHT[from], IN_BAHT[into]];
  if (!here || !there) throw new Error(`The sandbox knows no rate of ${from} in ${into}`);
  const drift = 1 + (Math.floor(clock.seconds() / DAY_SECONDS) % 7) / 100;
  return Number(((here / there) * drift).toFixed(6));
}

/**
 * An amount in the currency that the account settles in (`settle`); what is sold in that, or where none is set, stays as
 * it is. Smallest units.
 */
export function settled(
  world: World,
  amount: number,
  currency: string,
): { amount: number; currency: string; exchange_rate: number | null } {
  const into = world.settings.get('settlement')?.currency ?? currency;
  if (into === currency) return { amount, currency, exchange_rate: null };
  const exchange_rate = rateToday(world, currency, into);
  const whole = amount / (ZERO_DECIMAL.has(currency) ? 1 : 100);
  return {
    amount: Math.round(whole * exchange_rate * (ZERO_DECIMAL.has(into) ? 1 : 100)),
    currency: into,
    exchange_rate,
  };
}

/** Has the account settle whatever is sold in one currency from now on; undefined: each in its own. */
export function settle(world: World, currency: string | undefined): void {
  if (currency) world.settings.put('settlement', { currency });
  else world.settings.delete('settlement');
}

/** What can be settled in. */
export const settles = (currency: string): boolean => Object.hasOwn(IN_BAHT, currency);
