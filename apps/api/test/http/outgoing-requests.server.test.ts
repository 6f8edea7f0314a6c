import 'reflect-metadata';
import { createServer } from 'node:http';
import type { TestShop } from '@fixpoint/testkit/shop.ts';
import {
  BasicConstraintsExtension,
  CRLDistributionPointsExtension,
  X509CertificateGenerator,
} from '@peculiar/x509';
import { SettingsService } from '@simplewebauthn/server';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { REPORTS_PATH } from '../../src/http/csp-reports.ts';
import { createAuthenticator } from '../account/authenticator.ts';
import { signUp } from '../helpers/people.ts';
import { callsOfOneSession, send, type Things } from './matrix-samples.ts';

/** A server that the shop has no reason to call. */
const asked: string[] = [];
const elsewhere = createServer((request, response) => {
  asked.push(request.url ?? '');
  response.end();
});
let address: string;
let certificate: Buffer;
let shop: TestShop;
beforeAll(async () => {
  await new Promise<void>(done => elsewhere.listen(0, '127.0.0.1', done));
  address = `http://127.0.0.1:${(elsewhere.address() as { port: number }).port}/latest/meta-data`;
  const made = await certificateWith(address);
  certificate = made.leaf;
  // As if a phone maker had signed it. Reset before and after the shop is loaded, because it patches modules globally.
  vi.resetModules();
  SettingsService.setRootCertificates({ identifier: 'apple', certificates: [made.root] });
  const { startTestShop } = await import('@fixpoint/testkit/shop.ts');
  shop = await startTestShop();
});
afterAll(async () => {
  await shop?.stop();
  await new Promise(done => elsewhere.close(done));
});

/** Creates a root and a certificate with a revocation list address. */
async function certificateWith(crl: string): Promise<{ leaf: Buffer; root: string }> {
  const signing = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const keys = () => crypto.subtle.generateKey(signing, true, ['sign', 'verify']);
  const [rootKeys, leafKeys] = [await keys(), await keys()];
  const root = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=Phones',
    keys: rootKeys,
    signingAlgorithm: signing,
    extensions: [new BasicConstraintsExtension(true)],
  });
  const leaf = await X509CertificateGenerator.create({
    subject: 'CN=Phone',
    issuer: root.subject,
    publicKey: leafKeys.publicKey,
    signingKey: rootKeys.privateKey,
    signingAlgorithm: signing,
    extensions: [new CRLDistributionPointsExtension([crl])],
  });
  return { leaf: Buffer.from(leaf.rawData), root: root.toString('pem') };
}

/** Attestation of an authenticator by that maker. */
function vouchedFor(attestationObject: string): string {
  const plain = Buffer.from(attestationObject, 'base64url');
  const none = Buffer.from('a363666d74646e6f6e656761747453746d74a0', 'hex');
  // Hand-written CBOR: {fmt: 'apple', attStmt: {x5c: [certificate]}, …
  const head = Buffer.from('a363666d74656170706c656761747453746d74a1637835638159', 'hex');
  const length = Buffer.alloc(2);
  length.writeUInt16BE(certificate.length);
  expect(plain.subarray(0, none.length)).toEqual(none);
  return Buffer.concat([head, length, certificate, plain.subarray(none.length)]).toString('base64url');
}

test("S61 the shop does not call the revocation address in a passkey's certificate", async () => {
  const { client } = await signUp(shop, 'passkey@example.com');
  const { flow, options } = (await client.account.addPasskeyOptions()).data!;
  const made = createAuthenticator(shop.url).create(options);
  const { attestationObject } = made.response as { attestationObject: string };
  const response = { ...made.response, attestationObject: vouchedFor(attestationObject) };
  await client.account.addPasskey({ body: { flow, name: 'Phone', response: { ...made, response } } });
  expect(asked).toEqual([]);
});

test('S61 the shop never calls an address in a call, a header or a report', async () => {
  const { client } = await signUp(shop, 'writer@example.com');
  const things = new Proxy({} as Things, { get: () => address });
  const written = (value: unknown): unknown => {
    if (typeof value === 'string') return address;
    if (Array.isArray(value)) return value.map(written);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, written(each)]));
  };
  for (const { name, sample } of callsOfOneSession) {
    const input = sample!.input(things);
    await send(client, name, input);
    const { body } = input;
    for (const key of Object.keys((body ?? {}) as object)) {
      const value = (body as Record<string, unknown>)[key];
      await send(client, name, { ...input, body: { ...(body as object), [key]: written(value) } });
    }
  }
  expect((await client.auth.profile()).code, 'still let in').toBe('0000');
  const headers = {
    'content-type': 'application/csp-report',
    referer: address,
    'user-agent': address,
    'accept-language': address,
    forwarded: `host=${address}`,
    'x-forwarded-host': address.slice('http://'.length),
  };
  const report = JSON.stringify({ 'csp-report': { 'document-uri': address, 'blocked-uri': address } });
  await fetch(`${shop.url}${REPORTS_PATH}`, { method: 'POST', headers, body: report });
  await fetch(shop.url, { headers: { referer: address, 'x-forwarded-host': '127.0.0.1' } });
  expect(asked).toEqual([]);
});
