/** Everything that the two years decide beforehand, as the operator's own documents would state it. Amounts in hundredths. */

export const CURRENCIES = ['THB', 'USD', 'EUR', 'JPY', 'SGD'] as const;
export type Currency = (typeof CURRENCIES)[number];
export const PLANS = ['solo', 'plus', 'team'] as const;
export type Plan = (typeof PLANS)[number];
export type Months = 1 | 3 | 6 | 12;

/** Price of a month, which no other month count divides evenly. */
const MONTHLY: Record<Plan, Record<Currency, number>> = {
  solo: { THB: 199_00, USD: 5_99, EUR: 5_49, JPY: 898_00, SGD: 7_99 },
  plus: { THB: 329_00, USD: 9_99, EUR: 9_19, JPY: 1_498_00, SGD: 13_29 },
  team: { THB: 699_00, USD: 20_99, EUR: 19_39, JPY: 3_148_00, SGD: 27_99 },
};
/** Percent of the monthly price, for the first period and for later ones. */
const PERCENT: Record<Months, { first: number; later: number }> = {
  1: { first: 100, later: 100 },
  3: { first: 95, later: 95 },
  6: { first: 90, later: 90 },
  12: { first: 65, later: 80 },
};
/** Currencies without a smaller unit. */
export const WHOLE: readonly string[] = ['JPY'];

/** List price of a period, in whole units of its currency. */
export function listPrice(plan: Plan, months: Months, currency: Currency, which: 'first' | 'later'): number {
  const percent = PERCENT[months][which];
  if (months === 1) return MONTHLY[plan][currency];
  return Math.round((MONTHLY[plan][currency] * months * percent) / 100_00) * 100;
}

/** Days since the start of the two years. */
export const DAYS = 730;
/** Seven percent before, ten from this day on. */
export const VAT = { before: 700, after: 1000, changesOn: 401, announcedOn: 330 };
/** No worker runs from the first day to the second. */
export const SLEEP = { from: 500, until: 540 };
