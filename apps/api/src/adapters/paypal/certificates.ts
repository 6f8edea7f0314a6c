import { type KeyObject, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { rootCertificates } from 'node:tls';
import { unreachable } from './client.ts';
import type { PaypalSettings } from './settings.ts';

const TIMEOUT_MS = 10_000;
/** Maximum size of a certificate chain, which usually has a few kilobytes. */
const LARGEST = 64 * 1024;
/**
 * A sender names the URLs that are fetched, so unproven ones are limited: by network, in all, and
 * with a reserve for networks that PayPal has delivered from before.
 */
const FETCHES_A_MINUTE = { network: 3, strangers: 10, reserve: 5 };
/** Networks of genuine deliveries that are remembered: PayPal uses a handful a day. */
const MOST_KNOWN = 1000;
const MINUTE_MS = 60_000;

export type Certificates = ReturnType<typeof createCertificates>;
type CachedKey = { key: KeyObject; until: Date };
/**
 * URLs that have served a valid certificate of PayPal, shared by all nodes and cached across
 * restarts.
 */
export type ProvenUrls = {
  has(address: string): Promise<boolean>;
  add(address: string): Promise<void>;
};

/**
 * PayPal's signing keys by the URLs that its deliveries name (S39): fetched from PayPal only,
 * verified against trusted authorities, and cached until they expire. A sender of invalid URLs can
 * neither evict a known key nor use up the fetches of a proven one or of PayPal's networks.
 */
export function createCertificates({ apiOrigin, authorityFile, clock }: PaypalSettings, proved: ProvenUrls) {
  /** Valid keys. PayPal uses one at a time and changes it after months. */
  const cached = new Map<string, CachedKey>();
  const underWay = new Map<string, Promise<CachedKey | undefined>>();
  /** Last fetch of each proven URL: it is not repeated for each delivery. */
  const again = new Map<string, number>();
  let fetches: { at: number; network: string }[] = [];
  /** Networks of genuine deliveries, oldest first. */
  const genuine = new Set<string>();

  async function mayFetch(address: string, network: string): Promise<boolean> {
    const now = clock.now().getTime();
    if ((again.get(address) ?? 0) > now - MINUTE_MS) return false;
    if (await proved.has(address)) {
      again.set(address, now);
      return true;
    }
    fetches = fetches.filter(({ at }) => at > now - MINUTE_MS);
    const of = (known: boolean) => fetches.filter(fetch => genuine.has(fetch.network) === known).length;
    const own = fetches.filter(fetch => fetch.network === network).length;
    const left = genuine.has(network)
      ? FETCHES_A_MINUTE.reserve - of(true)
      : Math.min(FETCHES_A_MINUTE.strangers - of(false), FETCHES_A_MINUTE.network - own);
    if (left <= 0) return false;
    fetches.push({ at: now, network });
    return true;
  }

  async function fetchOnce(address: string, network: string): Promise<CachedKey | undefined> {
    if (!(await mayFetch(address, network))) throw unreachable('too many certificate URLs', false);
    const pem = await read(address);
    const found = pem === undefined ? undefined : trusted(pem, await authorities(), clock.now());
    if (!found) return undefined;
    cached.set(address, found);
    await proved.add(address);
    return found;
  }

  /** A failed or invalid fetch is repeated with the next delivery. */
  function refetch(address: string, network: string): Promise<CachedKey | undefined> {
    const fetching = fetchOnce(address, network).finally(() => underWay.delete(address));
    underWay.set(address, fetching);
    return fetching;
  }

  const authorities = async (): Promise<X509Certificate[]> =>
    [...rootCertificates, ...(authorityFile ? [await readFile(authorityFile, 'utf8')] : [])].map(
      pem => new X509Certificate(pem),
    );

  return {
    /**
     * @param network the sender's, by its hash
     * @returns undefined if the URL is not PayPal's, or its certificate is not trusted
     * @throws NamedFault if PayPal does not answer
     */
    async keyAt(address: string, network: string): Promise<KeyObject | undefined> {
      if (!isPaypals(address, apiOrigin)) return undefined;
      const known = cached.get(address);
      if (known && known.until > clock.now()) return known.key;
      cached.delete(address);
      return (await (underWay.get(address) ?? refetch(address, network)))?.key;
    },

    /** Remembers that PayPal has delivered from a network. */
    deliveredFrom(network: string): void {
      genuine.delete(network);
      genuine.add(network);
      if (genuine.size > MOST_KNOWN) genuine.delete(genuine.values().next().value!);
    },
  };
}

/**
 * PayPal serves certificates beside its API: those of `api-m.paypal.com` are at `api.paypal.com`.
 */
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
    throw unreachable(`PayPal's certificate could not be fetched: ${(error as Error).message}`, false);
  }
}

/** Key of a chain's first certificate, if it belongs to PayPal and leads to an authority. */
export function trusted(
  pem: string,
  authorities: readonly X509Certificate[],
  now: Date,
): CachedKey | undefined {
  const chain = (pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []).map(
    each => new X509Certificate(each),
  );
  const [leaf] = chain;
  if (!leaf || !/^CN=messageverificationcerts(\.\w+)?\.paypal\.com$/m.test(leaf.subject)) return undefined;
  let last = leaf;
  // Each certificate is signed by the next; one that is signed by an authority ends the chain.
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
