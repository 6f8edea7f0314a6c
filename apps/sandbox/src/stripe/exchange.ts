import type { StripeState } from './state.ts';

/** Price of a whole unit of each currency in baht, on an average day. */
const IN_BAHT: Record<string, number> = { thb: 1, usd: 35, eur: 40, gbp: 46, sgd: 27, jpy: 0.24, krw: 0.026 };
/** Currencies without a minor unit. */
export const ZERO_DECIMAL = new Set(['jpy', 'krw', 'vnd']);
const DAY_SECONDS = 86_400;

/**
 * Returns today's rate between whole units. It changes daily, so a refund differs from its charge.
 */
function rateToday({ clock }: StripeState, from: string, into: string): number {
  const [here, there] = [IN_BAHT[from], IN_BAHT[into]];
  if (!here || !there) throw new Error(`The sandbox knows no rate of ${from} in ${into}`);
  const drift = 1 + (Math.floor(clock.seconds() / DAY_SECONDS) % 7) / 100;
  return Number(((here / there) * drift).toFixed(6));
}

/**
 * Converts an amount to the settlement currency (`settle`); unchanged if it is the same or none is
 * set. Smallest units.
 */
export function settled(
  state: StripeState,
  amount: number,
  currency: string,
): { amount: number; currency: string; exchange_rate: number | null } {
  const into = state.settings.get('settlement')?.currency ?? currency;
  if (into === currency) return { amount, currency, exchange_rate: null };
  return { ...exchanged(state, amount, currency, into), currency: into };
}

function exchanged(state: StripeState, amount: number, from: string, into: string) {
  const exchange_rate = rateToday(state, from, into);
  const whole = amount / (ZERO_DECIMAL.has(from) ? 1 : 100);
  return { amount: Math.round(whole * exchange_rate * (ZERO_DECIMAL.has(into) ? 1 : 100)), exchange_rate };
}

/**
 * Minimum charge in smallest units (docs.stripe.com/currencies#minimum-and-maximum-charge-amounts).
 */
const MINIMUM: Record<string, number> = {
  usd: 50,
  eur: 50,
  gbp: 30,
  jpy: 50,
  thb: 1000,
  sgd: 50,
  hkd: 400,
  myr: 200,
};

/**
 * Whether an amount is below the minimum of its own currency or of the settlement currency.
 * Smallest units.
 */
export function isTooSmall(state: StripeState, amount: number, currency: string): boolean {
  if (amount < (MINIMUM[currency] ?? 1)) return true;
  const into = state.settings.get('settlement')?.currency ?? (currency in MINIMUM ? currency : 'usd');
  if (into === currency || !settles(currency)) return false;
  return exchanged(state, amount, currency, into).amount < (MINIMUM[into] ?? 1);
}

/** Sets the settlement currency of all later sales; undefined: each settles in its own. */
export function settle(state: StripeState, currency: string | undefined): void {
  if (currency) state.settings.put('settlement', { currency });
  else state.settings.delete('settlement');
}

/** Whether a currency can be settled in. */
export const settles = (currency: string): boolean => Object.hasOwn(IN_BAHT, currency);
