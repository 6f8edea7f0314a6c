import 'reflect-metadata';
import { KeyObject, webcrypto, X509Certificate } from 'node:crypto';
import { enrolmentTokenParts } from '@fixpoint/contract/agent.ts';
import * as x509 from '@peculiar/x509';
import { z } from 'zod';
import type { ShopAddress } from './env.ts';
import type { Log } from './log.ts';
import { createShop, isRefusal, pinnedAuthority, type Shop } from './shop.ts';
import { type StateFile, saver } from './state-file.ts';

const pair = z.object({ certificate: z.string(), key: z.string() });

/**
 * Identity of this host. Key and certificate share one file, so that they always match. Keeps the
 * pair before the last renewal: a shop restored from an older backup knows only that one.
 */
export const identityFile = pair.extend({ hostId: z.string(), ca: z.string(), previous: pair.optional() });
export type Identity = z.infer<typeof identityFile>;

const DAY_MS = 86_400_000;

const ends = (identity: Identity): number => new X509Certificate(identity.certificate).validToDate.getTime();

const isInLast = (days: number) => (identity: Identity, now: Date) =>
  ends(identity) - now.getTime() < days * DAY_MS;
/**
 * A certificate of 30 days is renewed in its last ten, so that the shop may be away for over a
 * week.
 */
export const renewalIsDue = isInLast(10);
export const isLastDay = isInLast(1);

/** SHA-256 of a certificate, as enrolment tokens name it. */
export const fingerprintOf = (pem: string): string =>
  new X509Certificate(pem).fingerprint256.replaceAll(':', '').toLowerCase();

/** Creates a P-256 key and a certificate request. The key never leaves this host. */
async function newRequest(): Promise<{ key: string; csr: string }> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const csr = await x509.Pkcs10CertificateRequestGenerator.create({
    name: [{ CN: ['host'] }],
    keys,
    signingAlgorithm: algorithm,
  });
  const key = KeyObject.from(keys.privateKey).export({ type: 'pkcs8', format: 'pem' }).toString();
  return { key, csr: csr.toString('pem') };
}

/** Exchanges a one-time token for an identity (S78). */
async function enrol(address: ShopAddress, token: string): Promise<Identity> {
  const { fingerprint } = enrolmentTokenParts(token)!;
  const shop = createShop(address, { ca: await pinnedAuthority(address, fingerprint) });
  try {
    const { key, csr } = await newRequest();
    const { hostId, certificate, ca } = await shop.enrol(token, csr);
    return { hostId, certificate, ca, key };
  } finally {
    shop.close();
  }
}

/** Returns the same host with a new key and certificate. */
export async function renewed(identity: Identity, shop: Shop): Promise<Identity> {
  const { key, csr } = await newRequest();
  const { certificate, ca } = await shop.renew(csr);
  const previous = { certificate: identity.certificate, key: identity.key };
  return { hostId: identity.hostId, certificate, ca, key, previous };
}

/** Returns the same host with its other pair, if it has one. */
export const otherPair = ({ certificate, key, previous, ...host }: Identity): Identity | undefined =>
  previous && { ...host, ...previous, previous: { certificate, key } };

/** Whether the identity belongs to the shop and host that the token names, if there is a token. */
function isNamed(identity: Identity, token: string | undefined): boolean {
  const named = token ? enrolmentTokenParts(token) : undefined;
  return !named || (named.hostId === identity.hostId && named.fingerprint === fingerprintOf(identity.ca));
}

/**
 * Returns the saved identity if the token names it, or enrols with the token, which may therefore
 * stay in the settings. An expired certificate is tried again, and kept when the token is used up:
 * the system clock may be wrong. Without a token the saved identity is kept too.
 * @throws Error when the host has neither
 */
export async function identify(
  file: StateFile<Identity>,
  address: ShopAddress,
  token: string | undefined,
  now: Date,
  log: Log,
): Promise<Identity> {
  const saved = file.load();
  const own = saved && isNamed(saved, token) ? saved : undefined;
  if (own && (!token || ends(own) > now.getTime())) return own;
  if (!token)
    throw new Error(
      'this host is not enrolled. Create a token in the shop (npm run shop -- host add) and set AGENT_TOKEN',
    );
  try {
    const identity = await enrol(address, token);
    // The token is used up and the former identity revoked: an unsaved identity lasts until the
    // next start.
    saver(file, 'identity', log).save(identity);
    return identity;
  } catch (error) {
    if (own && isRefusal(error)) return own;
    throw error;
  }
}
