/** What a canary had that nobody else has: addresses, and one random word of each name that it asked for. */
type Marks = { addresses: readonly string[]; names: readonly string[] };

/** One way in which a mark can be written. */
export type Form = {
  /** In words, for the report: the mark itself is public. */
  what: string;
  /** As Latin-1: a character for each byte. */
  bytes: string;
  /** Upper or lower case says the same. */
  anyCase: boolean;
  /** Characters that would make it part of something longer, on either side. */
  bounds?: RegExp;
  /**
   * Four bytes are found by chance in any gigabyte: they count where they stand in a socket address, a packet's header or
   * beside another marked address.
   */
  short?: boolean;
  /** No socket address and no packet has them in this order. */
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

/** As programs write an IPv6 address, however an operator has. */
const shortest = (address: string): string => new URL(`http://[${address}]`).hostname.slice(1, -1);

/** What stands for the bytes in base64 wherever they begin in what is encoded: what neighbours change is left out. */
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

/** A text as it is, and as programs pack it. */
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
    // DNS on the wire has lengths instead of dots; the labels alone are short.
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
    // /proc/net writes it so.
    { what: `${mark}, turned, in hexadecimal`, bytes: turned.toString('hex'), anyCase: true, bounds: HEX },
    // And so of a socket that takes both families.
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
    // /proc/net writes it in four numbers.
    {
      what: `${mark}, turned, in hexadecimal`,
      bytes: Buffer.from(bytes).swap32().toString('hex'),
      anyCase: true,
    },
    ...base64Cores(bytes).map(core => ({ what: `${mark}, in base64`, bytes: core, anyCase: false })),
    { what: `${mark}, binary`, bytes: latin1(bytes), anyCase: false },
  ];
}

/** All forms of a canary's marks. A name's one random word is found in its DNS packets too. */
export const formsOf = ({ addresses, names }: Marks): Form[] => [
  ...addresses.flatMap(address =>
    (isIPv4(address) ? ipv4Forms : ipv6Forms)(address, `the address ${address}`),
  ),
  ...names.flatMap(name => textForms(name, `the name ${name}`)),
];
