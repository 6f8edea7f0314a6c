/** Arithmetic of shared IPv6 prefixes, which the shop and its hosts must compute alike. */

/** Global unicast addresses; everything else is private, local or reserved (RFC 4291). */
const INTERNET6 = { bits: 3, first: 0b001n };
const BITS = 128;

const groupsOf = (text: string): string[] => (text === '' ? [] : text.split(':'));

/** @param address as text, without dots and zones */
function numberOf(address: string): bigint {
  const [head = [], tail = []] = address.split('::').map(groupsOf);
  const zeros = Array<string>(8 - head.length - tail.length).fill('0');
  return [...head, ...zeros, ...tail].reduce((sum, group) => sum * 65_536n + BigInt(`0x${group}`), 0n);
}

/** Canonical form (RFC 5952), which is also the kernel's. */
function textOf(number: bigint): string {
  const groups = Array.from({ length: 8 }, (_, n) =>
    ((number >> BigInt(16 * (7 - n))) & 0xffffn).toString(16),
  );
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1);
}

/** Length of a prefix. */
export const length6 = (prefix: string): number => Number(prefix.split('/')[1]);

const read = (prefix: string) => ({ first: numberOf(prefix.split('/')[0]!), length: length6(prefix) });

/**
 * Whether a well-formed prefix such as `2001:db8::/48` is of the internet and has no bits beyond
 * its length.
 */
export function isInternet6(prefix: string): boolean {
  if (prefix.includes('.')) return false;
  const { first, length } = read(prefix);
  const begins = first % 2n ** BigInt(BITS - length) === 0n;
  return begins && length >= INTERNET6.bits && first >> BigInt(BITS - INTERNET6.bits) === INTERNET6.first;
}

/** The nth address of a prefix, counted from 0. */
export const address6 = (prefix: string, n: number): string => textOf(read(prefix).first + BigInt(n));

/**
 * The nth of the 2^bits equal parts of a prefix, or the first /`largest` of it if the part is
 * larger.
 */
export function part6(prefix: string, bits: number, n: number, largest: number): string {
  const { first, length } = read(prefix);
  const part = length + bits;
  return `${textOf(first + (BigInt(n) << BigInt(BITS - part)))}/${Math.max(part, largest)}`;
}
