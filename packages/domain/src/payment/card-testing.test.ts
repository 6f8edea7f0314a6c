import { expect, test } from 'vitest';
import {
  COUNTED_SECONDS,
  isCardTestingWave,
  mustClose,
  NAMELESS_DEVICE_MS,
  requiresProofOfWork,
} from './card-testing.ts';

test.each([
  ['a try costs a proof of work', requiresProofOfWork, 2],
  ['the payment is closed', mustClose, 5],
  ['the shop detects card testing', isCardTestingWave, 40],
] as const)('S43 %s from this many declines within the hour', (_, reached, most) => {
  for (const scale of [1, 10])
    expect([most * scale - 1, most * scale, most * scale + 1].map(n => reached(n, scale))).toEqual([
      false,
      true,
      true,
    ]);
});

test('S43 a browser is recognised for longer than its declines are counted', () => {
  expect(COUNTED_SECONDS).toBe(3600);
  expect(NAMELESS_DEVICE_MS).toBeGreaterThan(COUNTED_SECONDS * 1000);
});
