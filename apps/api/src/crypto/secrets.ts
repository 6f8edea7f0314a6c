import { createHmac, createSecretKey, hash, hkdfSync, randomBytes, randomUUID } from 'node:crypto';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** A new id: what it names, then 100 random bits (`sub_…`). Never guessable, so never a way to another's things. */
export function newId(
  kind:
    | 'cus'
    | 'ses'
    | 'ord'
    | 'inv'
    | 'pay'
    | 'att'
    | 'met'
    | 'ref'
    | 'sub'
    | 'asg'
    | 'dsp'
    | 'key'
    | 'crn'
    | 'gwl'
    | 'hpb'
    | 'doc',
): string {
  let id = '';
  for (const byte of randomBytes(20)) id += ALPHABET[byte & 31];
  return `${kind}_${id}`;
}

/** What a payer quotes: ten characters that are told apart on paper and over the phone (`7K3M-9QXD-2H`). */
export function newPaymentReference(): string {
  let text = '';
  for (const byte of randomBytes(10)) text += ALPHABET[byte & 31];
  return (text.toUpperCase().match(/.{1,4}/g) ?? []).join('-');
}

/** 256 random bits for a token that is handed out once and kept as its hash. */
export const newToken = (): string => randomBytes(32).toString('base64url');

/** 128 random bits in UUID shape (order reference, order check value). */
export const newReference = (): string => {
  // randomUUID fixes 6 bits; the reference promises 128 random ones.
  const hex = randomBytes(16).toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
};

export const newCorrelation = (): string => randomUUID();

/** Tokens are looked up by hash: a copy of the database opens nothing. They are random, so no salt is needed. */
export const tokenHash = (token: string): Buffer => hash('sha256', token, 'buffer');

/** A key for one purpose, from the root of this shop's hashes: knowing one says nothing about the others. */
export const deriveKey = (root: Buffer, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', root, '', purpose, 32));

/**
 * HMAC-SHA-256 of texts under a key for one purpose. The key is made ready once: of plain bytes Node makes one for each
 * text, which takes five times as long as the hash.
 */
export function createMac(root: Buffer, purpose: string): (text: string) => Buffer {
  const key = createSecretKey(deriveKey(root, purpose));
  return text => createHmac('sha256', key).update(text).digest();
}

/**
 * Names an address by a hash under a key that changes every day: limits can count it, nobody can find it out, and
 * tomorrow it is another one. IPv6 counts by its /64, which is what one customer line has.
 */
export function createClientName(root: Buffer, clock: { now(): Date }): (ip: string) => string {
  const macOf = (day: string) => createMac(root, `addresses of ${day}`);
  let day = clock.now().toISOString().slice(0, 10);
  let mac = macOf(day);
  return ip => {
    const today = clock.now().toISOString().slice(0, 10);
    if (today !== day) [day, mac] = [today, macOf(today)];
    return mac(networkOf(ip)).toString('base64url');
  };
}

/** The network of an address that one line has: an IPv4 address, or the first 64 bits of an IPv6 address. */
function networkOf(ip: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1];
  if (mapped) return mapped;
  if (!ip.includes(':')) return ip;
  const [head = '', tail] = ip.split('%')[0]!.split('::');
  const front = head.split(':').filter(Boolean);
  const back = tail?.split(':').filter(Boolean) ?? [];
  const zeros = Array.from({ length: 8 - front.length - back.length }, () => '0');
  return [...front, ...zeros, ...back].slice(0, 4).join(':');
}

/**
 * Hashes one-time codes under a key that is not in the database: six digits could be guessed from a plain hash in no
 * time. Bound to the challenge, so that a code of one is none of another.
 */
export function createCodeHash(root: Buffer): (challengeId: string, code: string) => Buffer {
  const mac = createMac(root, 'one-time codes');
  return (challengeId, code) => mac(`${challengeId}:${code}`);
}

/** The access token that is given for a refresh token: the same for all who show the same one. */
export function createAccessTokens(root: Buffer): (refreshToken: string) => string {
  const mac = createMac(root, 'access tokens');
  return refreshToken => mac(refreshToken).toString('base64url');
}

/** HMAC of a device cookie: only this shop makes them. */
export const createDeviceSeal = (root: Buffer): ((text: string) => Buffer) =>
  createMac(root, 'device cookies');
