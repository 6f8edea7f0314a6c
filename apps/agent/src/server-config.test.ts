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

test('S77 a server accepts client certificates over TLS 1.2 or later, with authenticated ciphers', () => {
  expect(lines).toContain('tls-version-min 1.2');
  expect(lines).toContain('remote-cert-tls client');
  expect(lines).toContain('<tls-crypt>');
  const ciphers = lines
    .find(line => line.startsWith('data-ciphers '))!
    .split(' ')[1]!
    .split(':');
  for (const cipher of ciphers) expect(cipher).toMatch(/GCM|POLY1305/);
  // A client without a file is refused, and a name has one session.
  expect(lines).toContain('ccd-exclusive');
  expect(lines).not.toContain('duplicate-cn');
  expect(lines.find(line => line.startsWith('management '))).toMatch(/^management \/\S+ unix$/);
});

test('FV1 FV17 a client sends all traffic of both families into the tunnel and uses the resolvers inside it', () => {
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
  // Without a prefix: a private address, and both ends answer "no route".
  expect(lines.filter(line => /ifconfig-ipv6|block-ipv6/.test(line))).toHaveLength(3);
  expect(withPrefix.filter(line => /ifconfig-ipv6|block-ipv6/.test(line))).toEqual([]);
});

test('S81 a server logs nothing', () => {
  expect(lines).toContain('verb 0');
  for (const line of lines)
    expect(line).not.toMatch(/^(status|log|log-append|ifconfig-pool-persist|client-connect)\b/);
});

test('V8 a server makes its clients announce their exit: no file needs to, and with TCP none may', () => {
  expect(lines).toContain('push "explicit-exit-notify 1"');
});
