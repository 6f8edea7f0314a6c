import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { createClientAddress } from './client-address.ts';

const from = (remoteAddress: string | undefined, forwarded?: string) =>
  ({
    socket: { remoteAddress },
    headers: forwarded !== undefined ? { 'x-forwarded-for': forwarded } : {},
  }) as unknown as IncomingMessage;

test('S70 the address of a handshake comes from a trusted proxy and from nowhere else', () => {
  const direct = createClientAddress([]);
  expect(direct(from('198.51.100.1', '203.0.113.9'))).toBe('198.51.100.1');
  const behind = createClientAddress(['127.0.0.1', '10.0.0.0/8']);
  expect(behind(from('127.0.0.1', '203.0.113.9'))).toBe('203.0.113.9');
  // The client's own header values precede those that the proxies added.
  expect(behind(from('127.0.0.1', '192.0.2.66, 203.0.113.9, 10.1.2.3'))).toBe('203.0.113.9');
  expect(behind(from('198.51.100.1', '203.0.113.9'))).toBe('198.51.100.1');
  expect(behind(from(undefined))).toBe('');
});

test.each([
  ['203.0.113.9:51234', '203.0.113.9'],
  ['203.0.113.9:1, 10.1.2.3:443', '203.0.113.9'],
  ['[2001:db8::9]:51234', '2001:db8::9'],
  ['"[2001:db8::9]"', '2001:db8::9'],
  ['2001:db8::9', '2001:db8::9'],
  ['nonsense', 'unknown'],
  ['203.0.113.9:port', 'unknown'],
  ['203.0.113.999', 'unknown'],
  ['', '127.0.0.1'],
  ['203.0.113.9:1, ', '203.0.113.9'],
])('BG8 S70 a proxy that writes %s names the client %s', (forwarded, address) => {
  const behind = createClientAddress(['127.0.0.1', '10.0.0.0/8']);
  expect(behind(from('127.0.0.1', forwarded))).toBe(address);
});
