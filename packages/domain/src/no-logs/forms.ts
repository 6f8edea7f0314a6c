/**
 * Marks that only a canary has: its addresses, and one random word of each name that it resolved.
 */
type Marks = { addresses: readonly string[]; names: readonly string[] };

/** One way in which a mark can be written. */
export type Form = {
  /** Description for the report; the mark itself is public. */
  what: string;
  /** Latin-1: one character per byte. */
  bytes: string;
  /** Matches in upper and lower case. */
  anyCase: boolean;
  /** Adjacent characters that would make the match part of something longer. */
  bounds?: RegExp;
  /**
   * Four bytes occur by chance in any gigabyte. They count only in a socket address, in a packet
   * header or beside another marked address.
   */
  short?: boolean;
  /** Reversed byte order, which no socket address and no packet uses. */
  turned?: boolean;
};

const DIGITS = /[0-9]/;
const HEX = /[0-9a-f]/i;
const BASE64 = /[A-Za-z0-9+/_-]/;

const isIPv4 = (address: string): boolean => !address.includes(':');

const latin1 = (bytes: Buffer): string => bytes.toString('latin1');

/** The 16 bytes of an IPv6 address, the 4 of an IPv4 one. */
function addressBytes(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number));
  const [head = '', tail] = address.split('::');
  const words = (part: string | undefined) => (part ? part.split(':') : []);
  const [before, after] = [words(head), words(tail)];
  const zeros = Array<string>(8 - before.length - after.length).fill('');
  return Buffer.from([...before, ...zeros, ...after].map(word => word.padStart(4, '0')).join(''), 'hex');
}

/** Canonical text of an IPv6 address, however an operator wrote it. */
const shortest = (address: string): string => new URL(`http://[${address}]`).hostname.slice(1, -1);

/**
 * Base64 of the bytes at each possible alignment, without the characters that depend on
 * neighbouring bytes.
 */
function base64Cores(bytes: Buffer): string[] {
  const cores = [0, 1, 2].map(before => {
    const text = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    const whole = (bytes.length + before) % 3 === 0;
    return text.slice(Math.ceil((before * 8) / 6), whole ? undefined : -1);
  });
  return cores.flatMap(core => [...new Set([core, core.replaceAll('+', '-').replaceAll('/', '_')])]);
}

/** A text and its common encodings. */
function textForms(text: string, mark: string, bounds?: RegExp): Form[] {
  const bytes = Buffer.from(text);
  return [
    { what: `${mark}, as text`, bytes: text, anyCase: true, bounds },
    { what: `${mark}, as UTF-16`, bytes: latin1(Buffer.from(text, 'utf16le')), anyCase: true },
    { what: `${mark}, in hexadecimal`, bytes: bytes.toString('hex'), anyCase: true },
    ...base64Cores(bytes).map(core => ({ what: `${mark}, in base64`, bytes: core, anyCase: false })),
  ];
}

function ipv4Forms(address: string, mark: string): Form[] {
  const bytes = addressBytes(address);
  const turned = Buffer.from(bytes).reverse();
  const reversed = address.split('.').reverse().join('.');
  return [
    ...textForms(address, mark, DIGITS),
    ...textForms(`${reversed}.in-addr.arpa`, `${mark}, as reverse DNS`, DIGITS),
    // DNS on the wire has lengths instead of dots; single labels would be too short.
    {
      what: `${mark}, as reverse DNS on the wire`,
      bytes: `${reversed
        .split('.')
        .map(label => String.fromCharCode(label.length) + label)
        .join('')}\x07in-addr\x04arpa`,
      anyCase: true,
    },
    { what: `${mark}, as a number`, bytes: String(bytes.readUInt32BE()), anyCase: false, bounds: DIGITS },
    { what: `${mark}, in hexadecimal`, bytes: bytes.toString('hex'), anyCase: true, bounds: HEX },
    // Notation of /proc/net.
    { what: `${mark}, turned, in hexadecimal`, bytes: turned.toString('hex'), anyCase: true, bounds: HEX },
    // Notation of /proc/net for dual-stack sockets.
    {
      what: `${mark}, within IPv6, turned, in hexadecimal`,
      bytes: `ffff0000${turned.toString('hex')}`,
      anyCase: true,
    },
    {
      what: `${mark}, in base64`,
      bytes: bytes.toString('base64').replace(/=+$/, ''),
      anyCase: false,
      bounds: BASE64,
    },
    { what: `${mark}, binary`, bytes: latin1(bytes), anyCase: false, short: true },
    { what: `${mark}, turned, binary`, bytes: latin1(turned), anyCase: false, short: true, turned: true },
  ];
}

function ipv6Forms(address: string, mark: string): Form[] {
  const bytes = addressBytes(address);
  const nibbles = bytes.toString('hex');
  const full = nibbles.match(/.{4}/g)!.join(':');
  return [
    ...textForms(shortest(address), mark, HEX),
    ...textForms(full, `${mark}, in full`),
    ...textForms(`${[...nibbles].reverse().join('.')}.ip6.arpa`, `${mark}, as reverse DNS`),
    {
      what: `${mark}, as reverse DNS on the wire`,
      bytes: [...nibbles]
        .reverse()
        .map(nibble => `\x01${nibble}`)
        .join(''),
      anyCase: true,
    },
    { what: `${mark}, in hexadecimal`, bytes: nibbles, anyCase: true },
    // /proc/net writes an IPv6 address as four numbers.
    {
      what: `${mark}, turned, in hexadecimal`,
      bytes: Buffer.from(bytes).swap32().toString('hex'),
      anyCase: true,
    },
    ...base64Cores(bytes).map(core => ({ what: `${mark}, in base64`, bytes: core, anyCase: false })),
    { what: `${mark}, binary`, bytes: latin1(bytes), anyCase: false },
  ];
}

/** All forms of a canary's marks. The random word of a name also matches DNS packets. */
export const formsOf = ({ addresses, names }: Marks): Form[] => [
  ...addresses.flatMap(address =>
    (isIPv4(address) ? ipv4Forms : ipv6Forms)(address, `the address ${address}`),
  ),
  ...names.flatMap(name => textForms(name, `the name ${name}`)),
];
