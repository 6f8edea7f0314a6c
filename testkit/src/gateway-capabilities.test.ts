import { expect, test } from 'vitest';
import { CAPABILITIES, capabilities } from './gateway-capabilities.ts';

test('at least one payment method has each capability, so that its tests run somewhere', () => {
  const had = new Set(Object.values(CAPABILITIES).flat());
  expect(capabilities.filter(capability => !had.has(capability))).toEqual([]);
});
