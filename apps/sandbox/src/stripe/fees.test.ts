import { expect, it } from 'vitest';
import { chargeFee } from './fees.ts';

it.each([
  [29_900, 'thb', 2_091],
  [10_000, 'thb', 1_365],
  [99, 'usd', 34],
  // 3.65 % of it is 36.5: rounded up.
  [1_000, 'usd', 67],
  // Whole yen.
  [1_000, 'jpy', 67],
  [5_000, 'eur', 213],
  // Never more than the charge itself.
  [1_000, 'thb', 1_000],
])('a charge of %i %s costs %i', (amount, currency, fee) => {
  expect(chargeFee(amount, currency)).toBe(fee);
});
