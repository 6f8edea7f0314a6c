/**
 * The currencies (ISO 4217) that can be sold in, and the least that a card or PromptPay pays of each, in integer hundredths
 * (docs.stripe.com/currencies#minimum-and-maximum-charge-amounts). The first ones are Stripe's own figures. Of the others it
 * takes what is worth the least of the currency that an account settles in, half a dollar or half a euro: some more than
 * that, since rates move. A currency is added only when its unit at Stripe is that of `toProviderUnit` (M2).
 */
const LEAST: Readonly<Record<string, number>> = {
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

/** The currencies whose unit and least are known; in others nothing is sold, and no card is charged. */
export const currencies: readonly string[] = Object.keys(LEAST).sort();

/** The least that a card pays in a currency (ISO 4217), integer hundredths; of an unknown one it pays nothing. */
export const leastByCard = (currency: string): number => LEAST[currency] ?? Number.POSITIVE_INFINITY;

/**
 * What credit pays of an amount: as much as there is, but what is left for money is never less than a card pays. All
 * amounts in integer hundredths.
 */
export function paidByCredit(currency: string, due: number, available: number): number {
  if (available >= due) return due;
  const least = leastByCard(currency);
  return due < least ? available : Math.min(available, due - least);
}
