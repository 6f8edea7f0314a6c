/** DER as far as certificates are written in it (X.690): each value is its tag, its length, and what it holds. */
export function value(tag: number, ...holds: Buffer[]): Buffer {
  const length = holds.reduce((sum, { byteLength }) => sum + byteLength, 0);
  const bytes =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.of(tag, ...bytes), ...holds]);
}

export const sequence = (...holds: Buffer[]): Buffer => value(0x30, ...holds);
export const set = (...holds: Buffer[]): Buffer => value(0x31, ...holds);
/** Tagged by a number of its own, around a value. */
export const explicit = (number: number, holds: Buffer): Buffer => value(0xa0 + number, holds);
/** @param bytes of a number that is not negative: they begin with a bit that is 0 */
export const integer = (bytes: Buffer): Buffer => value(0x02, bytes);
export const yes: Buffer = value(0x01, Buffer.of(0xff));
export const octets = (bytes: Buffer): Buffer => value(0x04, bytes);
/** @param unused bits at its end */
export const bits = (bytes: Buffer, unused = 0): Buffer => value(0x03, Buffer.of(unused), bytes);

/** @param dotted `2.5.29.15` */
export function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...others] = dotted.split('.').map(Number);
  const base128 = (arc: number, more = 0): number[] =>
    arc < 0x80 ? [arc | more] : [...base128(Math.floor(arc / 0x80), 0x80), (arc % 0x80) | more];
  return value(0x06, Buffer.from([first * 40 + second, ...others].flatMap(arc => base128(arc))));
}

/** As PrintableString where it is one, else as UTF8String. */
export const text = (words: string): Buffer =>
  value(/^[A-Za-z0-9 '()+,./:=?-]*$/.test(words) ? 0x13 : 0x0c, Buffer.from(words));

/** In whole seconds: UTCTime until 2049, GeneralizedTime from then on (RFC 5280, 4.1.2.5). */
export function time(at: Date): Buffer {
  const digits = `${at.toISOString().slice(0, 19).replace(/\D/g, '')}Z`;
  return at.getUTCFullYear() < 2050
    ? value(0x17, Buffer.from(digits.slice(2)))
    : value(0x18, Buffer.from(digits));
}
