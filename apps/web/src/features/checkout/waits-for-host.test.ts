import { expect, test } from 'vitest';
import { waitsForHost } from './waits-for-host.ts';

test('FO12 a delivered order without an address waits for a host; one with an address does not', () => {
  const id = 'sub_1';
  expect(waitsForHost({ subscription: { id, status: 'provisioning' } })).toBe(true);
  expect(waitsForHost({ subscription: undefined })).toBe(false);
  expect(waitsForHost({ subscription: { id, status: 'provisioning', address: '203.0.113.7' } })).toBe(false);
  expect(waitsForHost({ subscription: { id, status: 'active', address: '203.0.113.7' } })).toBe(false);
});
