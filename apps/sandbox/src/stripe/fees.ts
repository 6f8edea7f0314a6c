/**
 * Fee of a charge in minor units (whole units where a currency has none), by one rule for every
 * currency, so that books can be compared exactly: 3.65 %, rounded half up, plus 10 THB or 30 minor
 * units; never more than the charge. Fees are not returned.
 */
export function chargeFee(amount: number, currency: string): number {
  const fixed = currency === 'thb' ? 1_000 : 30;
  return Math.min(amount, Math.round((amount * 365) / 10_000) + fixed);
}

/** Fee of a dispute in any currency, won or lost; an inquiry is free. */
export const DISPUTE_FEE = 1_500;
