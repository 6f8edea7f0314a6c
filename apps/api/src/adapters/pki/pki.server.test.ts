import 'reflect-metadata';
import { execFileSync } from 'node:child_process';
import { createPrivateKey, KeyObject, webcrypto, X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SHOP_AGENT_NAME } from '@fixpoint/contract/agent.ts';
import * as x509 from '@peculiar/x509';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHostCa, createSubscriptionCa } from './authority.ts';
import { daysAfter, decimalSerial, fingerprint, latestNotAfter, newSerial } from './crypto.ts';
import { issueClient, issueHost, issueServer, issueShopTls } from './leaf.ts';
import { newTlsCrypt } from './tls-crypt.ts';

const now = new Date('2026-11-20T05:00:00Z');
const P256 = { name: 'ECDSA', namedCurve: 'P-256' };
const folder = mkdtempSync(join(tmpdir(), 'pki-'));
afterAll(() => rmSync(folder, { recursive: true }));

function opensslVerifies(ca: string, certificate: string, purpose: 'sslserver' | 'sslclient'): string {
  writeFileSync(join(folder, 'ca.pem'), ca);
  writeFileSync(join(folder, 'leaf.pem'), certificate);
  const at = String(now.getTime() / 1000);
  try {
    return execFileSync(
      'openssl',
      ['verify', '-x509_strict', '-attime', at, '-purpose', purpose, '-CAfile', 'ca.pem', 'leaf.pem'],
      { cwd: folder, encoding: 'utf8', stdio: 'pipe' },
    ).trim();
  } catch {
    return 'refused';
  }
}

describe('a subscription authority', () => {
  let authority: Awaited<ReturnType<typeof createSubscriptionCa>>;
  beforeAll(async () => {
    authority = await createSubscriptionCa({ name: 's_one', now });
  });
  const issue = (notAfter: Date) => issueClient({ ...authority, commonName: 'k_phone1', now, notAfter });

  it('S74 signs clients and servers that openssl accepts under its strict rules, each for its own purpose', async () => {
    const client = await issue(latestNotAfter(now));
    const server = await issueServer({
      ...authority,
      serverName: 'sub-s_one',
      now,
      notAfter: daysAfter(now, 30),
    });
    expect(opensslVerifies(authority.ca, client.certificate, 'sslclient')).toBe('leaf.pem: OK');
    expect(opensslVerifies(authority.ca, client.certificate, 'sslserver')).toBe('refused');
    expect(opensslVerifies(authority.ca, server.certificate, 'sslserver')).toBe('leaf.pem: OK');
    expect(opensslVerifies(authority.ca, server.certificate, 'sslclient')).toBe('refused');
  });

  it('is useless for another subscription', async () => {
    const other = await createSubscriptionCa({ name: 's_two', now });
    const client = await issue(daysAfter(now, 30));
    expect(opensslVerifies(other.ca, client.certificate, 'sslclient')).toBe('refused');
  });

  it('S74 cannot sign another authority', () => {
    const limits = new x509.X509Certificate(authority.ca).getExtension(x509.BasicConstraintsExtension);
    expect(limits).toMatchObject({ ca: true, pathLength: 0, critical: true });
  });

  it('S75 issues client certificates with the fields that are known to connect', async () => {
    const client = await issue(daysAfter(now, 30));
    const certificate = new x509.X509Certificate(client.certificate);
    expect(certificate.subject).toBe('CN=k_phone1');
    expect(certificate.notBefore).toEqual(daysAfter(now, -4));
    expect(certificate.notAfter).toEqual(daysAfter(now, 30));
    expect(client.serial).toBe(decimalSerial(certificate.serialNumber));
    expect(certificate.publicKey.algorithm).toMatchObject({ namedCurve: 'P-256' });
    expect(certificate.getExtension(x509.ExtendedKeyUsageExtension)?.usages).toEqual([
      x509.ExtendedKeyUsage.clientAuth,
    ]);
    expect(new X509Certificate(client.certificate).checkPrivateKey(createPrivateKey(client.privateKey))).toBe(
      true,
    );
  });

  it('S75 names in each leaf its purpose and the key of its signer', async () => {
    const { certificate } = await issue(daysAfter(now, 30));
    const leaf = new x509.X509Certificate(certificate);
    const ca = new x509.X509Certificate(authority.ca);
    expect(leaf.signatureAlgorithm).toMatchObject({ name: 'ECDSA', hash: { name: 'SHA-256' } });
    expect(leaf.extensions.map(({ type, critical }) => [type, critical])).toEqual([
      ['2.5.29.19', false],
      ['2.5.29.15', true],
      ['2.5.29.37', false],
      ['2.5.29.14', false],
      ['2.5.29.35', false],
    ]);
    expect(leaf.getExtension(x509.BasicConstraintsExtension)?.ca).toBe(false);
    expect(leaf.getExtension(x509.KeyUsagesExtension)?.usages).toBe(x509.KeyUsageFlags.digitalSignature);
    expect(ca.getExtension(x509.KeyUsagesExtension)?.usages).toBe(
      x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign,
    );
    const { keyId } = leaf.getExtension(x509.AuthorityKeyIdentifierExtension)!;
    expect(keyId).toBe(ca.getExtension(x509.SubjectKeyIdentifierExtension)!.keyId);
  });

  it.each<x509.JsonAttributeObject>([
    { printableString: 'VPN hosts' },
    { utf8String: 'VPN hosts' },
    { utf8String: 'Größe' },
  ])('copies the name of its authority byte by byte, whatever its encoding: %o', async name => {
    const keys = await webcrypto.subtle.generateKey(P256, true, ['sign', 'verify']);
    const written = await x509.X509CertificateGenerator.createSelfSigned({
      name: new x509.Name([{ CN: [name] }]),
      keys,
      notBefore: now,
      notAfter: latestNotAfter(now),
      signingAlgorithm: { name: 'ECDSA', hash: 'SHA-256' },
      extensions: [
        new x509.BasicConstraintsExtension(true, 0, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
        await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      ],
    });
    const ca = written.toString('pem');
    const caKey = KeyObject.from(keys.privateKey).export({ type: 'pkcs8', format: 'pem' }).toString();
    const leaf = await issueClient({ ca, caKey, commonName: 'k_one', now, notAfter: daysAfter(now, 1) });
    const { issuerName } = new x509.X509Certificate(leaf.certificate);
    expect(Buffer.from(issuerName.toArrayBuffer())).toEqual(Buffer.from(written.subjectName.toArrayBuffer()));
    expect(opensslVerifies(ca, leaf.certificate, 'sslclient')).toBe('leaf.pem: OK');
  });

  it('lasts beyond 2049, when years are written with four digits', async () => {
    const later = new Date('2031-05-01T00:00:00Z');
    const { ca } = await createSubscriptionCa({ name: 's_late', now: later });
    expect(new X509Certificate(ca).validToDate).toEqual(daysAfter(later, 20 * 365));
  });

  it('issues another key pair and serial for every download', async () => {
    const [one, two] = await Promise.all([issue(daysAfter(now, 1)), issue(daysAfter(now, 1))]);
    expect(one.serial).not.toBe(two.serial);
    expect(one.privateKey).not.toBe(two.privateKey);
  });

  it('refuses a leaf of more than 398 days, and one that has already ended', async () => {
    const second = 1000;
    const last = latestNotAfter(now);
    const { certificate } = await issue(last);
    const { validFromDate, validToDate } = new X509Certificate(certificate);
    expect((validToDate.getTime() - validFromDate.getTime()) / 86_400_000).toBe(398);
    const tooLate = new Date(last.getTime() + second);
    await expect(issue(tooLate)).rejects.toThrow(RangeError);
    await expect(issueServer({ ...authority, serverName: 'x', now, notAfter: tooLate })).rejects.toThrow(
      RangeError,
    );
    await expect(issue(now)).rejects.toThrow(RangeError);
    await expect(issue(new Date(Number.NaN))).rejects.toThrow(RangeError);
  });
});

describe('S75 serials', () => {
  it('are positive and have 63 to 159 bits, for any random bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 16, maxLength: 16 }), bytes => {
        const serial = BigInt(decimalSerial(newSerial(() => bytes)));
        const bits = serial.toString(2).length;
        expect(serial > 0n && bits >= 63 && bits <= 159).toBe(true);
      }),
    );
  });

  it('reach the certificate unchanged', async () => {
    const authority = await createSubscriptionCa({ name: 's_one', now });
    for (let n = 0; n < 20; n++) {
      const { certificate, serial } = await issueClient({
        ...authority,
        commonName: 'k_phone1',
        now,
        notAfter: daysAfter(now, 1),
      });
      expect(BigInt(`0x${new X509Certificate(certificate).serialNumber}`).toString()).toBe(serial);
    }
  });
});

describe('the host authority', () => {
  const request = async (name: string) =>
    (
      await x509.Pkcs10CertificateRequestGenerator.create({
        name: [{ CN: [name] }],
        keys: await webcrypto.subtle.generateKey(P256, true, ['sign']),
        signingAlgorithm: { name: 'ECDSA', hash: 'SHA-256' },
      })
    ).toString('pem');

  it('certifies a host for 30 days under the name that the shop sets, not the requested one', async () => {
    const authority = await createHostCa({ name: 'hosts', now });
    const issued = (await issueHost({
      ...authority,
      csr: await request('h_other'),
      hostId: 'h_mine1',
      now,
    }))!;
    const certificate = new X509Certificate(issued.certificate);
    expect(certificate.subject).toBe('CN=h_mine1');
    expect(certificate.validToDate).toEqual(daysAfter(now, 30));
    expect(opensslVerifies(authority.ca, issued.certificate, 'sslclient')).toBe('leaf.pem: OK');
  });

  it('refuses a request that its key has not signed, or that is none', async () => {
    const authority = await createHostCa({ name: 'hosts', now });
    const der = new Uint8Array(new x509.Pkcs10CertificateRequest(await request('h_mine1')).rawData);
    der[der.length - 1]! ^= 1;
    const csr = new x509.Pkcs10CertificateRequest(der).toString('pem');
    for (const request of [
      csr,
      '-----BEGIN CERTIFICATE REQUEST-----\nAAAA\n-----END CERTIFICATE REQUEST-----\n',
    ])
      expect(await issueHost({ ...authority, csr: request, hostId: 'h_mine1', now })).toBeUndefined();
  });

  it('issues the shop a certificate whose chain contains the authority that tokens pin', async () => {
    const authority = await createHostCa({ name: 'hosts', now });
    const shop = await issueShopTls({ ...authority, now });
    const chain = shop.certificate.match(/-----BEGIN[\s\S]+?-----END CERTIFICATE-----/g)!;
    expect(new X509Certificate(chain[0]!).checkHost(SHOP_AGENT_NAME)).toBe(SHOP_AGENT_NAME);
    expect(fingerprint(chain[1]!)).toBe(fingerprint(authority.ca));
    expect(opensslVerifies(authority.ca, chain[0]!, 'sslserver')).toBe('leaf.pem: OK');
  });

  it('computes fingerprints like openssl', async () => {
    const { ca } = await createHostCa({ name: 'hosts', now });
    expect(fingerprint(ca)).toBe(new X509Certificate(ca).fingerprint256.replaceAll(':', '').toLowerCase());
  });
});

describe('a tls-crypt key', () => {
  it('is an OpenVPN static key of 2048 bits, new each time', () => {
    const lines = newTlsCrypt().trimEnd().split('\n');
    expect(lines[0]).toBe('-----BEGIN OpenVPN Static key V1-----');
    expect(lines.at(-1)).toBe('-----END OpenVPN Static key V1-----');
    expect(lines.slice(1, -1)).toHaveLength(16);
    for (const line of lines.slice(1, -1)) expect(line).toMatch(/^[0-9a-f]{32}$/);
    expect(newTlsCrypt()).not.toBe(newTlsCrypt());
  });
});
