/** First host address of a tunnel network that belongs to a key; .1 is the server. */
const FIRST_ADDRESS = 2;

export type KeyRefusal = 'keyExists' | 'keyLimitReached' | 'subscriptionNotActivated';

/**
 * Whether a key may be added, and its tunnel address: the lowest free one (K1, K4).
 * @param existing names and addresses of the subscription's current keys
 * @param devices maximum number of keys of the plan
 * @param own a member's own keys, and how many they may have
 */
export function decideAddKey(
  name: string,
  existing: readonly { name: string; address: number }[],
  devices: number,
  own?: { has: number; most: number },
): { ok: true; address: number } | { ok: false; refusal: KeyRefusal } {
  const taken = name.toLowerCase();
  if (existing.some(key => key.name.toLowerCase() === taken)) return { ok: false, refusal: 'keyExists' };
  if (existing.length >= devices || (own && own.has >= own.most))
    return { ok: false, refusal: 'keyLimitReached' };
  const used = new Set(existing.map(key => key.address));
  let address = FIRST_ADDRESS;
  while (used.has(address)) address += 1;
  return { ok: true, address };
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Maximum life of a certificate, from its begin to its end (S75). */
const CERTIFICATE_DAYS = 398;
/**
 * Days before its making at which a certificate begins: a host or a device whose clock is days slow
 * would refuse it as not yet valid.
 */
const EARLY_DAYS = 4;

export const certificateStart = (now: Date): Date => new Date(now.getTime() - EARLY_DAYS * DAY_MS);

/**
 * Certificates last over a year regardless of the paid period (S75, K6). The host enforces the paid
 * period, so a renewal does not require a new file on every device.
 */
export const certificateEnd = (now: Date): Date =>
  new Date(certificateStart(now).getTime() + CERTIFICATE_DAYS * DAY_MS);

/** Expiry of the emailed link that gives its user the file of a device. */
export const emailedLinkEnd = (now: Date): Date => new Date(now.getTime() + 3 * DAY_MS);

/** Expiry of a single-use link that hands a file to another device. */
export const linkEnd = (now: Date): Date => new Date(now.getTime() + 10 * 60_000);
