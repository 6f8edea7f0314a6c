import { expect, test } from 'vitest';
import { isCarried } from './carry.ts';

const none = () => false;

test.each([
  // rest, owed before, carried
  [8_66, 0, true],
  [8_66, 11_33, true],
  [8_66, 11_34, false],
  [9_99, 0, true],
  [10_00, 0, false],
  [0, 0, false],
] as const)(
  'BG2 of %s with %s owed before, %s: a rest is carried within a small bound',
  (rest, owed, carried) => {
    expect(isCarried(rest, { least: 10_00, owed, takes: none })).toBe(carried);
  },
);

test('BG2 what any payment method takes is paid', () => {
  expect(isCarried(8_66, { least: 10_00, owed: 0, takes: amount => amount >= 1 })).toBe(false);
});
