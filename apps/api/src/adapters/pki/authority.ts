import 'reflect-metadata';
import * as x509 from '@peculiar/x509';
import {
  certificatePem,
  daysAfter,
  newKeyPair,
  newSerial,
  notBefore,
  privateKeyPem,
  SIGNATURE,
} from './crypto.ts';

/** Longer than any subscription: the CA is in every profile of its customer and cannot be changed without new files. */
const CA_DAYS = 20 * 365;

export type Authority = {
  /** Certificate, PEM. */
  ca: string;
  /** Private key, PKCS #8 PEM. Encrypt it before it is stored; it must never reach a VPN host. */
  caKey: string;
};

async function createAuthority(name: string, now: Date): Promise<Authority> {
  const keys = await newKeyPair();
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: newSerial(),
    name: [{ CN: [name] }],
    notBefore: notBefore(now),
    notAfter: daysAfter(now, CA_DAYS),
    signingAlgorithm: SIGNATURE,
    keys,
    extensions: [
      // Path length 0: it signs leaves only, never another authority (S74).
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { ca: certificatePem(certificate), caKey: privateKeyPem(keys.privateKey) };
}

/**
 * The certificate authority of one subscription: a key of subscription A can never authenticate at B (V2).
 * @param input.name common name, shown by no client
 */
export const createSubscriptionCa = (input: { name: string; now: Date }): Promise<Authority> =>
  createAuthority(input.name, input.now);

/** The authority of all VPN hosts of this shop; signs host certificates and the shop's own for their listener. */
export const createHostCa = (input: { name: string; now: Date }): Promise<Authority> =>
  createAuthority(input.name, input.now);
