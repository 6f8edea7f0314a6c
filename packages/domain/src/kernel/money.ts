/** Integer hundredths of the currency's main unit, for every currency (M1). */
export type Minor = number;

/** A gross amount and its parts. `price = net + vat` always. */
export type Amount = { currency: string; price: Minor; net: Minor; vat: Minor };

/** Currencies that providers take without minor units (M2). */
const ZERO_DECIMAL = new Set(['JPY', 'KRW', 'VND']);

/**
 * Splits a gross price. VAT is rounded half-up, the remainder is the net (M3).
 * @param rateBp VAT rate in basis points: 700 = 7 %
 */
export function withVat(currency: string, price: Minor, rateBp: number): Amount {
  const vat = Math.floor((2 * price * rateBp + (10_000 + rateBp)) / (2 * (10_000 + rateBp)));
  return { currency, price, net: price - vat, vat };
}

/**
 * Amount in the unit that Stripe expects: whole units for JPY, KRW and VND, hundredths for other
 * currencies.
 */
export function toProviderUnit(currency: string, price: Minor): number {
  if (!ZERO_DECIMAL.has(currency)) return price;
  if (price % 100 !== 0) throw new RangeError(`${currency} has no minor unit`);
  return price / 100;
}

/** Inverse of {@link toProviderUnit}. */
export const fromProviderUnit = (currency: string, amount: number): Minor =>
  ZERO_DECIMAL.has(currency.toUpperCase()) ? amount * 100 : amount;

/** The smallest amount that providers take: a satang or a cent, but a whole yen, won or dong. */
const unitOf = (currency: string): Minor => (ZERO_DECIMAL.has(currency) ? 100 : 1);

/** Rounds an amount half-up to units that providers take. */
export function wholeUnits(currency: string, amount: number): Minor {
  const unit = unitOf(currency);
  return Math.floor(amount / unit + 0.5) * unit;
}

/** The same, rounded down: received money must never grow. */
export function wholeUnitsIn(currency: string, amount: number): Minor {
  const unit = unitOf(currency);
  return Math.floor(amount / unit) * unit;
}
