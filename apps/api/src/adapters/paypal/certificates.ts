import { type KeyObject, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { rootCertificates } from 'node:tls';
import { unreachable } from './client.ts';
import type { PaypalSettings } from './settings.ts';

const TIMEOUT_MS = 10_000;
/** A chain has a few kilobytes. */
const LARGEST = 64 * 1024;
/** PayPal has one at a time, and changes it after months. */
const KEPT = 8;
/** A sender names what is fetched: more often than this, nothing is. */
const FETCHES_A_MINUTE = 10;

export type Certificates = ReturnType<typeof createCertificates>;
type Kept = { key: KeyObject; until: Date };

/**
 * The keys that PayPal signs with, by the addresses that its deliveries name (S39). Fetched from PayPal alone, checked
 * against the authorities that we trust, and kept until they end.
 */
export function createCertificates({ apiOrigin, authorityFile, clock }: PaypalSettings) {
  const kept = new Map<string, Promise<Kept | undefined>>();
  let fetches: number[] = [];

  function fetchOnce(address: string): Promise<Kept | undefined> {
    const now = clock.now().getTime();
    fetches = fetches.filter(at => at > now - 60_000);
    if (fetches.length >= FETCHES_A_MINUTE) throw unreachable('too many certificates were named', false);
    fetches.push(now);
    const fetched = read(address).then(async pem =>
      pem === undefined ? undefined : trusted(pem, await authorities(), clock.now()),
    );
    kept.set(address, fetched);
    for (const oldest of [...kept.keys()].slice(0, -KEPT)) kept.delete(oldest);
    // What did not come is asked for again.
    fetched.catch(() => kept.delete(address));
    return fetched;
  }

  const authorities = async (): Promise<X509Certificate[]> =>
    [...rootCertificates, ...(authorityFile ? [await readFile(authorityFile, 'utf8')] : [])].map(
      pem => new X509Certificate(pem),
    );

  return {
    /**
     * @returns undefined when the address is not PayPal's, or what lies there not to be trusted
     * @throws NamedFault when PayPal does not answer
     */
    async keyAt(address: string): Promise<KeyObject | undefined> {
      if (!isPaypals(address, apiOrigin)) return undefined;
      const now = clock.now();
      const found = await (kept.get(address) ?? fetchOnce(address));
      if (found && found.until > now) return found.key;
      kept.delete(address);
      return undefined;
    },
  };
}

/** PayPal's certificates lie beside its interface: `api-m.paypal.com` has them at `api.paypal.com`. */
function isPaypals(address: string, apiOrigin: string): boolean {
  if (!URL.canParse(address)) return false;
  const { origin, pathname, search, hash, username, password } = new URL(address);
  const bare = !search && !hash && !username && !password;
  const origins = [apiOrigin, apiOrigin.replace('://api-m.', '://api.')];
  return bare && origins.includes(origin) && pathname.startsWith('/v1/notifications/certs/');
}

async function read(address: string): Promise<string | undefined> {
  let response: Response;
  try {
    response = await fetch(address, { redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (response.status >= 500) throw new Error(`it answered ${response.status}`);
    const text = await response.text();
    return response.ok && text.length <= LARGEST ? text : undefined;
  } catch (error) {
    throw unreachable(`PayPal's certificate did not come: ${(error as Error).message}`, false);
  }
}

/** The key of a chain's first certificate, when it is PayPal's and leads to an authority. */
export function trusted(pem: string, authorities: readonly X509Certificate[], now: Date): Kept | undefined {
  const chain = (pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []).map(
    each => new X509Certificate(each),
  );
  const [leaf] = chain;
  if (!leaf || !/^CN=messageverificationcerts(\.\w+)?\.paypal\.com$/m.test(leaf.subject)) return undefined;
  let last = leaf;
  // Each is signed by the next; one that is signed by an authority ends the chain.
  for (const next of [...chain.slice(1), undefined]) {
    if (!isCurrent(last, now)) return undefined;
    const authority = authorities.find(each => isIssuer(each, last));
    if (authority)
      return isCurrent(authority, now) ? { key: leaf.publicKey, until: leaf.validToDate } : undefined;
    if (!next?.ca || !isIssuer(next, last)) return undefined;
    last = next;
  }
  return undefined;
}

const isIssuer = (issuer: X509Certificate, of: X509Certificate): boolean =>
  of.checkIssued(issuer) && of.verify(issuer.publicKey);

const isCurrent = ({ validFromDate, validToDate }: X509Certificate, now: Date): boolean =>
  validFromDate <= now && now < validToDate;
