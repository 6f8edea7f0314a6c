import 'reflect-metadata';
import type { webcrypto } from 'node:crypto';
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  type Extension,
  KeyUsageFlags,
  KeyUsagesExtension,
  type Name,
  type PublicKeyType,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509CertificateGenerator,
} from '@peculiar/x509';
import { newSerial, notBefore } from './crypto.ts';

/** Path length 0: signs leaves only, never another authority (S74). */
export const AUTHORITY: readonly Extension[] = [
  new BasicConstraintsExtension(true, 0, true),
  new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
];
const LEAF: readonly Extension[] = [
  new BasicConstraintsExtension(false),
  new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
];
export const SERVER: readonly Extension[] = [
  ...LEAF,
  new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
];
export const CLIENT: readonly Extension[] = [
  ...LEAF,
  new ExtendedKeyUsageExtension([ExtendedKeyUsage.clientAuth]),
];
export const namedDns = (name: string): Extension =>
  new SubjectAlternativeNameExtension([{ type: 'dns', value: name }]);

/**
 * Issues a certificate (RFC 5280): P-256, one common name, valid from some days before `now`.
 * @param certificate.authority signer; without it the certificate is self-signed
 * @returns `certificate` in PEM, `serial` in hexadecimal
 */
export async function signedCertificate(
  certificate: {
    /**
     * One of our ids. In other names the library would interpret quotes, backslashes and a leading
     * `#`.
     */
    commonName: string;
    authority?: { name: Name; publicKey: PublicKeyType };
    now: Date;
    notAfter: Date;
    publicKey: PublicKeyType;
    extensions: readonly Extension[];
  },
  signingKey: webcrypto.CryptoKey,
): Promise<{ certificate: string; serial: string }> {
  const { commonName, authority, now, notAfter, publicKey, extensions } = certificate;
  const subject = [{ CN: [commonName] }];
  const serial = newSerial();
  const signed = await X509CertificateGenerator.create({
    serialNumber: serial,
    subject,
    issuer: authority?.name ?? subject,
    notBefore: notBefore(now),
    notAfter,
    publicKey,
    signingKey,
    signingAlgorithm: { name: 'ECDSA', hash: 'SHA-256' },
    extensions: [
      ...extensions,
      await SubjectKeyIdentifierExtension.create(publicKey),
      ...(authority ? [await AuthorityKeyIdentifierExtension.create(authority.publicKey)] : []),
    ],
  });
  return { certificate: `${signed.toString('pem')}\n`, serial };
}
