import type { DesiredSubscription } from '@fixpoint/contract/agent.ts';
import { expect, test } from 'vitest';
import { renderServerConfig } from './adapters/openvpn/config.ts';

const subscription: DesiredSubscription = {
  ...{ id: 'sub_one', slot: 7, bindAddress: '203.0.113.7', publicAddress: '203.0.113.7', port: 1194 },
  ...{ rateMbit: 100, keys: [], revoked: [] },
  ...{ ca: 'CA', serverCertificate: 'CERTIFICATE', serverKey: 'KEY', tlsCrypt: 'TLS-CRYPT' },
};
const lines = renderServerConfig(subscription, ['9.9.9.9'], '/run/fixpoint').split('\n');

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

test('S81 a server is told to write nothing down', () => {
  expect(lines).toContain('verb 0');
  for (const line of lines)
    expect(line).not.toMatch(/^(status|log|log-append|ifconfig-pool-persist|client-connect)\b/);
});
