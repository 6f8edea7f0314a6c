/**
 * What the account pays to the provider, in minor units (whole units where a currency has none): one rule for every
 * currency, so that a shop's books can be compared to the last unit. Nothing of a fee comes back with a refund or a
 * dispute that is won.
 *
 * A charge costs 3.65 %, rounded half up, plus 10 THB, or 30 minor units of any other currency; never more than
 * itself.
 */
export function chargeFee(amount: number, currency: string): number {
  const fixed = currency === 'thb' ? 1_000 : 30;
  return Math.min(amount, Math.round((amount * 365) / 10_000) + fixed);
}

/** What a dispute costs in any currency, won or lost; an inquiry costs nothing. */
export const DISPUTE_FEE = 1_500;
