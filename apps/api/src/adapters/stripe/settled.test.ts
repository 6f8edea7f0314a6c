import { expect, test } from 'vitest';
import { movedOf } from './settled.ts';

const thb = (amount: number, fee = 0) => ({ currency: 'thb', amount, fee });

test('a sale settled in its own currency keeps its amounts', () => {
  const dispute = { currency: 'thb', amount: 19_900 };
  expect(movedOf(dispute, [])).toEqual({ amount: 0, fee: 0 });
  expect(movedOf(dispute, [thb(-19_900, 1_500)])).toEqual({ amount: -19_900, fee: 1_500 });
  // A partial dispute by the bank.
  expect(movedOf(dispute, [thb(-5_000, 1_500), thb(5_000)])).toEqual({ amount: 0, fee: 1_500 });
});

test('P39 in another currency, the sale’s own amount has moved, and the fee is converted back at the same rate', () => {
  const dollars = { currency: 'usd', amount: 1_000 };
  expect(movedOf(dollars, [thb(35_000, 2_100)])).toEqual({ amount: 1_000, fee: 60 });
  expect(movedOf(dollars, [thb(-35_000, 1_500)])).toEqual({ amount: -1_000, fee: 43 });
  // Money that comes back at another rate counts as the full amount.
  expect(movedOf(dollars, [thb(-35_000, 1_500), thb(34_000)])).toEqual({ amount: 0, fee: 43 });
});

test('P39 a fee that is booked separately uses the rate of its sale', () => {
  const dollars = { currency: 'usd', amount: 1_000 };
  expect(movedOf(dollars, [thb(0, 1_500), thb(-35_000)])).toEqual({ amount: -1_000, fee: 43 });
  expect(movedOf(dollars, [thb(0, 1_500)])).toEqual({ amount: 0, fee: 0 });
});

test('P39 a currency without minor units is in hundredths, too, with whole fees', () => {
  const yen = { currency: 'jpy', amount: 1_500 };
  expect(movedOf(yen, [thb(-36_000, 1_500)])).toEqual({ amount: -150_000, fee: 6_300 });
});
