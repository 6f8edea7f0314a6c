import { ZERO_DECIMAL } from './money.ts';
import type { StripeState } from './state.ts';

/** Price of a whole unit of each currency in baht, on an average day. */
const IN_BAHT: Readonly<Record<string, number>> = {
  thb: 1,
  usd: 35,
  eur: 40,
  gbp: 46,
  sgd: 27,
  jpy: 0.24,
  krw: 0.026,
  hkd: 4.5,
  myr: 7.8,
  aed: 9.5,
  aud: 23,
  brl: 6.3,
  cad: 25.5,
  chf: 40,
  cny: 4.9,
  czk: 1.55,
  dkk: 5.2,
  idr: 0.0021,
  ils: 9.5,
  inr: 0.41,
  khr: 0.0087,
  lak: 0.0016,
  mmk: 0.0166,
  mxn: 1.9,
  nok: 3.3,
  nzd: 20.5,
  php: 0.6,
  pln: 9,
  ron: 8,
  sar: 9.3,
  sek: 3.4,
  vnd: 0.00137,
  zar: 1.95,
};
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
  const into = settlementOf(state) ?? currency;
  if (into === currency) return { amount, currency, exchange_rate: null };
  return { ...exchanged(state, amount, currency, into), currency: into };
}

/** Converts an amount by today's rate. Smallest units. */
export function exchanged(state: StripeState, amount: number, from: string, into: string) {
  const exchange_rate = rateToday(state, from, into);
  const whole = amount / (ZERO_DECIMAL.has(from) ? 1 : 100);
  return { amount: Math.round(whole * exchange_rate * (ZERO_DECIMAL.has(into) ? 1 : 100)), exchange_rate };
}

/** The only currency of the balance, if one is set. */
export const settlementOf = (state: StripeState): string | undefined =>
  state.settings.get('settlement')?.currency;

/** Sets the settlement currency of all later sales; undefined: each settles in its own. */
export function settle(state: StripeState, currency: string | undefined): void {
  if (currency) state.settings.put('settlement', { currency });
  else state.settings.delete('settlement');
}

/** Whether a currency can be settled in. */
export const settles = (currency: string): boolean => Object.hasOwn(IN_BAHT, currency);
