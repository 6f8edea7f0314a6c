/** The least that a card or PromptPay pays, in integer hundredths (docs.stripe.com/currencies#minimum-and-maximum-charge-amounts). */
const LEAST: Readonly<Record<string, number>> = {
  THB: 10_00,
  USD: 50,
  EUR: 50,
  GBP: 30,
  JPY: 50_00,
  SGD: 50,
  HKD: 4_00,
  MYR: 2_00,
};

/** The least that a card pays in a currency (ISO 4217), integer hundredths. */
export const leastByCard = (currency: string): number => LEAST[currency] ?? 0;

/**
 * What credit pays of an amount: as much as there is, but what is left for money is never less than a card pays. All
 * amounts in integer hundredths.
 */
export function paidByCredit(currency: string, due: number, available: number): number {
  if (available >= due) return due;
  const least = leastByCard(currency);
  return due < least ? available : Math.min(available, due - least);
}
