import {
  createHash,
  createPrivateKey,
  KeyObject,
  randomBytes,
  webcrypto,
  X509Certificate,
} from 'node:crypto';
import { certificateEnd, certificateStart } from '@fixpoint/domain/key/key.ts';

/** EC P-256 with SHA-256, which every OpenVPN client in use supports. */
const P256 = { name: 'ECDSA', namedCurve: 'P-256' } as const;

const DAY_MS = 86_400_000;

/** Begin of every certificate: early, because clocks of devices and of hosts are often wrong. */
export const notBefore = certificateStart;

export const daysAfter = (now: Date, days: number): Date => new Date(now.getTime() + days * DAY_MS);

/** Latest possible end of a leaf certificate issued at `now`. */
export const latestNotAfter = certificateEnd;

/** @throws RangeError if a leaf would live longer than the rule allows, or has ended */
export function checkLeafValidity(now: Date, notAfter: Date): void {
  if (!(notAfter.getTime() > now.getTime()) || notAfter.getTime() > latestNotAfter(now).getTime()) {
    throw new RangeError('a leaf certificate must end after now and live 398 days at most');
  }
}

export type RandomBytes = (size: number) => Uint8Array;

/**
 * Random certificate serial as 32 hexadecimal digits. The top bits are 01, so that it is positive
 * and always has 127 bits, within the 63–159 bits of S75 and without a leading zero byte.
 */
export function newSerial(random: RandomBytes = randomBytes): string {
  const bytes = Buffer.from(random(16));
  bytes[0] = (bytes[0]! & 0x3f) | 0x40;
  return bytes.toString('hex');
}

/** Decimal form of a hexadecimal serial: the file name that `crl-verify … dir` expects. */
export const decimalSerial = (hex: string): string => BigInt(`0x${hex}`).toString(10);

export const newKeyPair = (): Promise<webcrypto.CryptoKeyPair> =>
  webcrypto.subtle.generateKey(P256, true, ['sign', 'verify']);

/** PKCS #8. */
export const privateKeyPem = (key: webcrypto.CryptoKey): string =>
  KeyObject.from(key).export({ type: 'pkcs8', format: 'pem' }).toString();

/** @param pem PKCS #8 */
export const readPrivateKey = (pem: string): webcrypto.CryptoKey =>
  createPrivateKey(pem).toCryptoKey(P256, false, ['sign']);

/**
 * SHA-256 over the DER of a certificate, 64 lower-case hexadecimal digits, as pinned by enrolment
 * tokens.
 */
export const fingerprint = (pem: string): string =>
  createHash('sha256').update(new X509Certificate(pem).raw).digest('hex');
