import 'reflect-metadata';
import { createPrivateKey, type KeyObject, randomUUID, sign, webcrypto } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import * as x509 from '@peculiar/x509';
import type { Store } from '../store.ts';

/** Signing material of webhooks. */
type Saved = { authority: string; certificate: string; key: string };
export type Signing = { authority: string; certificate: string; key: KeyObject };

const EC = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const RSA = {
  name: 'RSASSA-PKCS1-v1_5',
  hash: 'SHA-256',
  modulusLength: 2048,
  publicExponent: new Uint8Array([1, 0, 1]),
} as const;
/** Valid however far a test moves the clock. */
const VALID = { notBefore: new Date('2020-01-01'), notAfter: new Date('2060-01-01') };

/** A certificate in PayPal's name from the sandbox's own authority, which nobody else trusts. */
async function make(): Promise<Saved> {
  const [authorityKeys, keys] = await Promise.all([
    webcrypto.subtle.generateKey(EC, true, ['sign', 'verify']),
    webcrypto.subtle.generateKey(RSA, true, ['sign', 'verify']),
  ]);
  const authority = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: '01',
    name: [{ CN: ['Sandbox authority'] }],
    ...VALID,
    signingAlgorithm: EC,
    keys: authorityKeys,
    extensions: [new x509.BasicConstraintsExtension(true, 0, true)],
  });
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: '02',
    subject: [{ CN: ['messageverificationcerts.sandbox.paypal.com'] }],
    issuer: authority.subject,
    ...VALID,
    signingAlgorithm: EC,
    signingKey: authorityKeys.privateKey,
    publicKey: keys.publicKey,
  });
  const key = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey));
  return {
    authority: `${authority.toString('pem')}\n`,
    certificate: `${certificate.toString('pem')}\n`,
    key: key.toString('base64'),
  };
}

/** Shared by all sandboxes of a process without a data folder: creating a key takes a while. */
let made: Promise<Saved> | undefined;

/**
 * Returns the signing material of webhooks, created on first use.
 * @param authorityFile file from which the shop reads the trusted authority
 */
export function createSigning(store: Store, keeps: boolean, authorityFile: string): () => Promise<Signing> {
  const rows = store.table<Saved>('paypal.signing');
  let opened: Promise<Signing> | undefined;
  const open = async (): Promise<Signing> => {
    made ??= make();
    const saved = rows.get('signing') ?? (await made);
    if (keeps) rows.put('signing', saved);
    await mkdir(dirname(authorityFile), { recursive: true });
    await writeFile(authorityFile, saved.authority);
    const key = createPrivateKey({ key: Buffer.from(saved.key, 'base64'), format: 'der', type: 'pkcs8' });
    return { authority: saved.authority, certificate: saved.certificate, key };
  };
  return () => {
    opened ??= open();
    return opened;
  };
}

export const CERTIFICATE_PATH = '/v1/notifications/certs/CERT-sandbox';

/**
 * Headers of a transmission: its id and time, and a signature over those, the webhook's id and the
 * body's CRC-32.
 */
export function transmission(
  { key }: Signing,
  { webhookId, body, at, origin }: { webhookId: string; body: string; at: Date; origin: string },
): Record<string, string> {
  const id = randomUUID();
  const time = `${at.toISOString().slice(0, 19)}Z`;
  const signed = `${id}|${time}|${webhookId}|${crc32(body)}`;
  return {
    'paypal-transmission-id': id,
    'paypal-transmission-time': time,
    'paypal-transmission-sig': sign('RSA-SHA256', Buffer.from(signed), key).toString('base64'),
    'paypal-auth-algo': 'SHA256withRSA',
    'paypal-cert-url': `${origin}${CERTIFICATE_PATH}`,
    'user-agent': 'PayPal/AUHD-214.0-56673300',
  };
}
