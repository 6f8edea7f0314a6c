import type { DesiredSubscription } from '@fixpoint/contract/agent.ts';
import { expect, test } from 'vitest';
import { renderServerConfig } from './adapters/openvpn/config.ts';

const subscription: DesiredSubscription = {
  id: 'sub_one',
  slot: 7,
  bindAddress: '203.0.113.7',
  publicAddress: '203.0.113.7',
  port: 1194,
  rateMbit: 100,
  keys: [],
  revoked: [],
  ca: 'CA',
  serverCertificate: 'CERTIFICATE',
  serverKey: 'KEY',
  tlsCrypt: 'TLS-CRYPT',
};
const lines = renderServerConfig(subscription, '/run/fixpoint').split('\n');

test('S77 a server takes clients’ certificates over TLS 1.2 or later, with ciphers that prove what they carry', () => {
  expect(lines).toContain('tls-version-min 1.2');
  expect(lines).toContain('remote-cert-tls client');
  expect(lines).toContain('<tls-crypt>');
  const ciphers = lines
    .find(line => line.startsWith('data-ciphers '))!
    .split(' ')[1]!
    .split(':');
  for (const cipher of ciphers) expect(cipher).toMatch(/GCM|POLY1305/);
  // Who is not in the folder is nobody, and one name has one session.
  expect(lines).toContain('ccd-exclusive');
  expect(lines).not.toContain('duplicate-cn');
  expect(lines.find(line => line.startsWith('management '))).toMatch(/^management \/\S+ unix$/);
});

test('FV1 FV17 a client is to send all of both families into the tunnel, and to ask the resolvers inside of it', () => {
  const withPrefix = renderServerConfig({ ...subscription, prefix6: '2001:db8:7::/64' }, '/run/x').split(
    '\n',
  );
  for (const config of [lines, withPrefix]) {
    expect(config).toContain('push "redirect-gateway def1 ipv6"');
    expect(config.filter(line => line.includes('DNS'))).toEqual([
      'push "dhcp-option DNS 10.64.7.1"',
      'push "dhcp-option DNS 10.64.7.254"',
    ]);
  }
  // Where the host has no prefix: a private address, and both ends say that there is no way.
  expect(lines.filter(line => /ifconfig-ipv6|block-ipv6/.test(line))).toHaveLength(3);
  expect(withPrefix.filter(line => /ifconfig-ipv6|block-ipv6/.test(line))).toEqual([]);
});

test('S81 a server is told to write nothing down', () => {
  expect(lines).toContain('verb 0');
  for (const line of lines)
    expect(line).not.toMatch(/^(status|log|log-append|ifconfig-pool-persist|client-connect)\b/);
});

test('V8 a server has its clients tell it that they go: no file needs to, and beside TCP none may', () => {
  expect(lines).toContain('push "explicit-exit-notify 1"');
});
