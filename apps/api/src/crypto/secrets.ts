import { createHmac, createSecretKey, hash, hkdfSync, randomBytes, randomUUID } from 'node:crypto';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** A new id: a prefix for its kind, and 100 random bits (`sub_…`), so that it cannot be guessed. */
export function newId(
  kind:
    | 'cus'
    | 'ses'
    | 'ord'
    | 'inv'
    | 'ivt'
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
    | 'rpl'
    | 'hpb'
    | 'doc'
    | 'emc'
    | 'pvw'
    | 'sus'
    | 'blk'
    | 'ntc',
): string {
  let id = '';
  for (const byte of randomBytes(20)) id += ALPHABET[byte & 31];
  return `${kind}_${id}`;
}

/**
 * Payment reference: ten characters that are unambiguous on paper and over the phone
 * (`7K3M-9QXD-2H`).
 */
export function newPaymentReference(): string {
  let text = '';
  for (const byte of randomBytes(10)) text += ALPHABET[byte & 31];
  return (text.toUpperCase().match(/.{1,4}/g) ?? []).join('-');
}

/** 256 random bits for a token that is handed out once and stored as a hash. */
export const newToken = (): string => randomBytes(32).toString('base64url');

/** 128 random bits in UUID shape (order reference, order check value). */
export const newReference = (): string => {
  // randomUUID fixes 6 bits; the reference promises 128 random ones.
  const hex = randomBytes(16).toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
};

export const newCorrelation = (): string => randomUUID();

/**
 * Tokens are looked up by hash, so a copy of the database gives no access. They are random and need
 * no salt.
 */
export const tokenHash = (token: string): Buffer => hash('sha256', token, 'buffer');

/** Derives a key for one purpose from the root key. The keys are independent of each other. */
export const deriveKey = (root: Buffer, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', root, '', purpose, 32));

/**
 * HMAC-SHA-256 under a key for one purpose. The key object is created once, because creating one
 * per text takes five times as long as the hash.
 */
export function createMac(root: Buffer, purpose: string): (text: string) => Buffer {
  const key = createSecretKey(deriveKey(root, purpose));
  return text => createHmac('sha256', key).update(text).digest();
}

/**
 * Hashes a client address under a key that changes daily: rate limits can count it, but nobody can
 * reverse it or follow it to the next day. IPv6 addresses count by their /64, which is what one
 * line gets.
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

/** Network of one line: an IPv4 address, or the first 64 bits of an IPv6 address. */
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
 * Hashes one-time codes under a key outside the database, because six digits can be guessed from a
 * plain hash. The challenge is included, so that a code is valid for one challenge only.
 */
export function createCodeHash(root: Buffer): (challengeId: string, code: string) => Buffer {
  const mac = createMac(root, 'one-time codes');
  return (challengeId, code) => mac(`${challengeId}:${code}`);
}

/** Derives the access token of a refresh token, so that concurrent refreshes get the same one. */
export function createAccessTokens(root: Buffer): (refreshToken: string) => string {
  const mac = createMac(root, 'access tokens');
  return refreshToken => mac(refreshToken).toString('base64url');
}

/** HMAC of the links that pay one invoice. */
export const createPayLinkSeal = (root: Buffer): ((text: string) => Buffer) => createMac(root, 'pay links');

/** HMAC of a device cookie, which only this shop can create. */
export const createDeviceSeal = (root: Buffer): ((text: string) => Buffer) =>
  createMac(root, 'device cookies');

/** HMAC of the tokens by which firewalls read a customer's addresses. */
export const createAllowListSeal = (root: Buffer): ((text: string) => Buffer) =>
  createMac(root, 'allow lists');
