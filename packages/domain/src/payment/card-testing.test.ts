import { expect, test } from 'vitest';
import {
  COUNTED_SECONDS,
  isCardTestingWave,
  NAMELESS_DEVICE_MS,
  triedTooManyCards,
  workOfTry,
} from './card-testing.ts';

test.each([
  ['a try costs a proof of work', (n: number, scale: number) => workOfTry(n, scale) > 0, 2],
  ['an account may try no other card', triedTooManyCards, 3],
  ['the shop detects card testing', isCardTestingWave, 40],
] as const)('S43 %s from this many declines within the hour', (_, reached, most) => {
  for (const scale of [1, 10])
    expect([most * scale - 1, most * scale, most * scale + 1].map(n => reached(n, scale))).toEqual([
      false,
      true,
      true,
    ]);
});

test('S43 the price of a try doubles with each decline, up to eight units', () => {
  expect([0, 1, 2, 3, 4, 5, 6, 1000].map(declines => workOfTry(declines, 1))).toEqual([
    0, 0, 1, 2, 4, 8, 8, 8,
  ]);
  expect([19, 20, 29, 30].map(declines => workOfTry(declines, 10))).toEqual([0, 1, 1, 2]);
});

test('S43 a browser is recognised for longer than its declines are counted', () => {
  expect(COUNTED_SECONDS).toBe(3600);
  expect(NAMELESS_DEVICE_MS).toBeGreaterThan(COUNTED_SECONDS * 1000);
});
