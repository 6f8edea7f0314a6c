/** BTCPay writes amounts as decimal texts. They are read and written here as whole numbers alone: nothing is rounded unseen. */
const SATOSHI = 8;
const HUNDREDTHS = 2;
/** As many digits of a rate as a decimal of its server has at most. */
const RATE = 20;

/** A decimal text in its smallest parts; digits beyond them are cut off. */
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

/** What a bitcoin costs, as the invoice froze it. */
export type Rate = {
  /** The least satoshi that are worth an amount in hundredths. */
  wanted(minor: number): bigint;
  /** What satoshi are worth in hundredths, never rounded up. */
  worth(satoshi: bigint): number;
};

export function rateOf(text: string): Rate {
  const rate = partsOf(text, RATE);
  if (rate <= 0n) throw new RangeError(`Not a rate: ${text}`);
  /** Satoshi and rate multiplied, in hundredths. */
  const scale = 10n ** BigInt(SATOSHI + RATE - HUNDREDTHS);
  return {
    wanted: minor => (BigInt(minor) * scale + rate - 1n) / rate,
    worth: satoshi => Number((satoshi * rate) / scale),
  };
}
