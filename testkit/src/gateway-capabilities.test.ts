import { expect, test } from 'vitest';
import { CAPABILITIES, capabilities } from './gateway-capabilities.ts';

test('what a payment method may be able to do, one can: otherwise its tests would be run nowhere', () => {
  const had = new Set(Object.values(CAPABILITIES).flat());
  expect(capabilities.filter(capability => !had.has(capability))).toEqual([]);
});
