/**
 * Currencies on sale (ISO 4217) with the minimum charge by card or PromptPay in hundredths
 * (docs.stripe.com/currencies#minimum-and-maximum-charge-amounts). The first ones are Stripe's
 * figures; the others are estimates with a margin for exchange rates. Add a currency only if its
 * unit at Stripe is that of `toProviderUnit` (M2).
 */
const MINIMUM: Readonly<Record<string, number>> = {
  THB: 10_00,
  USD: 50,
  EUR: 50,
  GBP: 30,
  JPY: 50_00,
  SGD: 50,
  HKD: 4_00,
  MYR: 2_00,

  AED: 2_50,
  AUD: 1_00,
  BRL: 4_00,
  CAD: 1_00,
  CHF: 60,
  CNY: 5_00,
  CZK: 15_00,
  DKK: 5_00,
  IDR: 11_000_00,
  ILS: 2_50,
  INR: 60_00,
  KHR: 2_800_00,
  KRW: 1_000_00,
  LAK: 15_000_00,
  MMK: 1_500_00,
  MXN: 13_00,
  NOK: 7_00,
  NZD: 1_20,
  PHP: 40_00,
  PLN: 2_50,
  RON: 3_00,
  SAR: 2_50,
  SEK: 7_00,
  VND: 18_000_00,
  ZAR: 12_00,
};

/** Currencies with a known unit and minimum. Nothing is sold in others, and no card is charged. */
export const currencies: readonly string[] = Object.keys(MINIMUM).sort();

/** Minimum charge by card in a currency, in hundredths; infinite for an unknown currency. */
export const minimumByCard = (currency: string): number => MINIMUM[currency] ?? Number.POSITIVE_INFINITY;

/**
 * Part of an amount that credit pays: as much as there is, but leaving either nothing or at least
 * the minimum charge by card. All amounts in hundredths.
 */
export function paidByCredit(currency: string, due: number, available: number): number {
  if (available >= due) return due;
  const minimum = minimumByCard(currency);
  return due < minimum ? available : Math.min(available, due - minimum);
}
