import { AUTHORITY, signedCertificate } from './certificate.ts';
import { daysAfter, newKeyPair, privateKeyPem } from './crypto.ts';

/**
 * Longer than any subscription: the CA is in every file of its customer and cannot be changed
 * without new files.
 */
const CA_DAYS = 20 * 365;

export type Authority = {
  /** Certificate, PEM. */
  ca: string;
  /** Private key, PKCS #8 PEM. Encrypt it before it is stored; it must never reach a VPN host. */
  caKey: string;
};

async function createAuthority(name: string, now: Date): Promise<Authority> {
  const { publicKey, privateKey } = await newKeyPair();
  const { certificate } = await signedCertificate(
    { commonName: name, now, notAfter: daysAfter(now, CA_DAYS), publicKey, extensions: AUTHORITY },
    privateKey,
  );
  return { ca: certificate, caKey: privateKeyPem(privateKey) };
}

/**
 * Creates the certificate authority of one subscription, so that a key of one subscription never
 * authenticates at another.
 * @param input.name common name, which no client shows
 */
export const createSubscriptionCa = (input: { name: string; now: Date }): Promise<Authority> =>
  createAuthority(input.name, input.now);

/**
 * Creates the authority of all VPN hosts, which signs their certificates and the shop's own for
 * their listener.
 */
export const createHostCa = (input: { name: string; now: Date }): Promise<Authority> =>
  createAuthority(input.name, input.now);
