/** Satoshi in a bitcoin. */
export const BITCOIN = 100_000_000;
const CENT = 100;

/**
 * Smallest output in satoshi that nodes relay to an address of the sandbox's form (P2WPKH):
 * GetDustThreshold in src/policy/policy.cpp of github.com/bitcoin/bitcoin.
 */
export const DUST = 294;

/** Formats parts as BTCPay's decimal text: `decimal(12_300, BITCOIN)` is `0.000123`. */
function decimal(parts: number, unit: number): string {
  const digits = String(unit).length - 1;
  const text = String(Math.abs(parts)).padStart(digits + 1, '0');
  const [whole, rest] = [text.slice(0, -digits), text.slice(-digits).replace(/0+$/, '')];
  return `${parts < 0 ? '-' : ''}${whole}${rest && `.${rest}`}`;
}

export const bitcoins = (satoshi: number): string => decimal(satoshi, BITCOIN);
export const money = (minor: number): string => decimal(minor, CENT);

/** Parses a decimal text into parts; undefined when it is invalid or finer than the unit. */
export function parts(text: string | number, unit: number): number | undefined {
  const found = /^(\d{1,12})(?:\.(\d+))?$/.exec(String(text));
  if (!found) return undefined;
  const digits = String(unit).length - 1;
  const rest = (found[2] ?? '').replace(/0+$/, '');
  if (rest.length > digits) return undefined;
  return Number(found[1]) * unit + Number(rest.padEnd(digits, '0'));
}

/**
 * Converts a price to satoshi, rounded up as BTCPay does.
 * @param rate price of a bitcoin in the minor unit of the price
 */
export const satoshiOf = (minor: number, rate: number): number =>
  Number((BigInt(minor) * BigInt(BITCOIN) + BigInt(rate) - 1n) / BigInt(rate));

/** Converts satoshi to the minor unit of a currency, rounded down. */
export const worthOf = (satoshi: number, rate: number): number =>
  Number((BigInt(satoshi) * BigInt(rate)) / BigInt(BITCOIN));
