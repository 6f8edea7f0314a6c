import { expect, it } from 'vitest';
import { handshakeStage, isConnected } from './client.ts';
import { failedChecks } from './prober.ts';

const good = { dns: true, answered6: true };
const out = { sold: 3, other: 0, out6: 2, in6: 1 };

it('returns exactly the checks that failed', () => {
  expect(failedChecks(good, out, true)).toEqual([]);
  expect(failedChecks(good, { ...out, other: 1 }, true)).toEqual(['address']);
  expect(failedChecks({ ...good, dns: false }, { ...out, sold: 0 }, true)).toEqual(['address', 'dns']);
  expect(failedChecks({ ...good, answered6: false }, out, true)).toEqual(['address6']);
});

it('IPv6 must be answered by the internet, not by this host', () => {
  expect(failedChecks(good, { ...out, in6: 0 }, true)).toEqual(['address6']);
  expect(failedChecks(good, { ...out, out6: 0 }, true)).toEqual(['address6']);
  expect(failedChecks(good, { ...out, out6: 0, in6: 0 }, false)).toEqual([]);
});

it('a client is let in only with its own address', () => {
  const output = (address: string) =>
    `PUSH_REPLY,route-gateway 10.64.1.1,topology subnet,ifconfig ${address} 255.255.255.0,peer-id 0\nInitialization Sequence Completed\n`;
  expect(isConnected(output('10.64.1.32'), '10.64.1.32')).toBe(true);
  expect(isConnected(output('10.64.1.31'), '10.64.1.32')).toBe(false);
  expect(isConnected(output('10.64.1.32').replace(/Init.+/, ''), '10.64.1.32')).toBe(false);
});

it('the handshake stage of a rejected client is named', () => {
  const output = [
    'TLS: Initial packet from [AF_INET]203.0.113.10:1194',
    '[server] Peer Connection Initiated with …',
  ];
  expect(handshakeStage('')).toBe('silence');
  expect(handshakeStage(output[0]!)).toBe('answered');
  expect(handshakeStage(output.join('\n'))).toBe('trusted');
});
