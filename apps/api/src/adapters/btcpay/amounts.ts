/**
 * BTCPay writes amounts as decimal texts. They are handled as integers, so that nothing is rounded
 * silently.
 */
const SATOSHI = 8;
const HUNDREDTHS = 2;
/** Maximum number of decimals of a rate on a BTCPay Server. */
const RATE = 20;

/** A decimal text in its smallest unit; further digits are cut off. */
function partsOf(text: string, digits: number): bigint {
  const [, sign, whole, rest = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  if (whole === undefined) throw new RangeError(`Not a decimal: ${text}`);
  const parts = BigInt(whole + rest.slice(0, digits).padEnd(digits, '0'));
  return sign ? -parts : parts;
}

function decimalOf(parts: bigint, digits: number): string {
  const text = String(parts).padStart(digits + 1, '0');
  const rest = text.slice(-digits).replace(/0+$/, '');
  return rest ? `${text.slice(0, -digits)}.${rest}` : text.slice(0, -digits);
}

export const satoshiOf = (text: string): bigint => partsOf(text, SATOSHI);
export const bitcoins = (satoshi: bigint): string => decimalOf(satoshi, SATOSHI);

/** Money as the shop counts it, in hundredths. */
export const minorOf = (text: string): number => Number(partsOf(text, HUNDREDTHS));
export const money = (minor: number): string => decimalOf(BigInt(minor), HUNDREDTHS);

/** Exchange rate of an invoice, fixed when it was created. */
export type Rate = {
  /** Smallest number of satoshi worth an amount in hundredths. */
  wanted(minor: number): bigint;
  /** Value of satoshi in hundredths, rounded down. */
  worth(satoshi: bigint): number;
};

export function rateOf(text: string): Rate {
  const rate = partsOf(text, RATE);
  if (rate <= 0n) throw new RangeError(`Not a rate: ${text}`);
  /** Scale of satoshi times rate, relative to hundredths. */
  const scale = 10n ** BigInt(SATOSHI + RATE - HUNDREDTHS);
  return {
    wanted: minor => (BigInt(minor) * scale + rate - 1n) / rate,
    worth: satoshi => Number((satoshi * rate) / scale),
  };
}
