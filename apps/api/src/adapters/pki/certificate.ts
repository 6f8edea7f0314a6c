import { createHash, type KeyObject, sign } from 'node:crypto';
import { bits, explicit, integer, octets, oid, sequence, set, text, time, value, yes } from './der.ts';

/*
 * Certificates as our authorities write them (RFC 5280): P-256, one common name, few extensions. By hand, since the library
 * that reads signing requests writes and reads each part several times over: a purchase has three of them.
 */

const ECDSA_WITH_SHA256 = sequence(oid('1.2.840.10045.4.3.2'));
const VERSION_3 = explicit(0, integer(Buffer.of(2)));

const extension = (id: string, holds: Buffer, ...critical: Buffer[]): Buffer =>
  sequence(oid(id), ...critical, octets(holds));

/** Path length 0: it signs leaves only, never another authority (S74). */
export const AUTHORITY = [
  extension('2.5.29.19', sequence(yes, integer(Buffer.of(0))), yes),
  // To sign certificates and lists of revoked ones.
  extension('2.5.29.15', bits(Buffer.of(0b0000_0110), 1), yes),
];
export const LEAF = [
  extension('2.5.29.19', sequence()),
  // Digital signature.
  extension('2.5.29.15', bits(Buffer.of(0b1000_0000), 7), yes),
];
export const FOR_SERVERS = extension('2.5.29.37', sequence(oid('1.3.6.1.5.5.7.3.1')));
export const FOR_CLIENTS = extension('2.5.29.37', sequence(oid('1.3.6.1.5.5.7.3.2')));
export const namedDns = (name: string): Buffer =>
  extension('2.5.29.17', sequence(value(0x82, Buffer.from(name))));

/** SHA-1 over its point, with which the SubjectPublicKeyInfo of a P-256 key ends: a name (4.2.1.2), no protection. */
const nameOf = (publicKey: Buffer): Buffer => createHash('sha1').update(publicKey.subarray(-65)).digest();
/** Whose certificate it is, and whose key has signed it. */
export const ofKey = (publicKey: Buffer): Buffer => extension('2.5.29.14', octets(nameOf(publicKey)));
export const byKey = (publicKey: Buffer): Buffer =>
  extension('2.5.29.35', sequence(value(0x80, nameOf(publicKey))));

const named = (commonName: string): Buffer => sequence(set(sequence(oid('2.5.4.3'), text(commonName))));

/** @returns PEM */
export function signedCertificate(
  certificate: {
    /** Hexadecimal, positive. */
    serial: string;
    /** Common names. */
    subject: string;
    issuer: string;
    notBefore: Date;
    notAfter: Date;
    /** SubjectPublicKeyInfo. */
    publicKey: Buffer;
    extensions: readonly Buffer[];
  },
  issuerKey: KeyObject,
): string {
  const { serial, subject, issuer, notBefore, notAfter, publicKey, extensions } = certificate;
  const toBeSigned = sequence(
    VERSION_3,
    integer(Buffer.from(serial, 'hex')),
    ECDSA_WITH_SHA256,
    named(issuer),
    sequence(time(notBefore), time(notAfter)),
    named(subject),
    publicKey,
    explicit(3, sequence(...extensions)),
  );
  const signature = bits(sign('sha256', toBeSigned, issuerKey));
  const lines = sequence(toBeSigned, ECDSA_WITH_SHA256, signature)
    .toString('base64')
    .match(/.{1,64}/g)!;
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}
