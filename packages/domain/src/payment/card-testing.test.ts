import { expect, test } from 'vitest';
import { COUNTED_SECONDS, isWave, mustClose, mustProve, NAMELESS_DEVICE_MS } from './card-testing.ts';

test.each([
  ['the next try costs a proof of work', mustProve, 2],
  ['the payment is closed', mustClose, 5],
  ['the shop takes it for a wave', isWave, 40],
] as const)('S43 %s from so many refusals within the hour on', (_, reached, most) => {
  for (const scale of [1, 10])
    expect([most * scale - 1, most * scale, most * scale + 1].map(n => reached(n, scale))).toEqual([
      false,
      true,
      true,
    ]);
});

test('S43 a browser is known for longer than its refusals are counted', () => {
  expect(COUNTED_SECONDS).toBe(3600);
  expect(NAMELESS_DEVICE_MS).toBeGreaterThan(COUNTED_SECONDS * 1000);
});
