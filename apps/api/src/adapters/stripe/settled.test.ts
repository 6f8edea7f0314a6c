import { expect, test } from 'vitest';
import { movedOf } from './settled.ts';

const thb = (amount: number, fee = 0) => ({ currency: 'thb', amount, fee });

test('what is settled in its own currency is what it says', () => {
  const dispute = { currency: 'thb', amount: 19_900 };
  expect(movedOf(dispute, [])).toEqual({ amount: 0, fee: 0 });
  expect(movedOf(dispute, [thb(-19_900, 1_500)])).toEqual({ amount: -19_900, fee: 1_500 });
  // A part of it, as the bank took it.
  expect(movedOf(dispute, [thb(-5_000, 1_500), thb(5_000)])).toEqual({ amount: 0, fee: 1_500 });
});

test('P39 in another one the sale’s own amount has moved, and the fee is turned back by the same rate', () => {
  const dollars = { currency: 'usd', amount: 1_000 };
  expect(movedOf(dollars, [thb(35_000, 2_100)])).toEqual({ amount: 1_000, fee: 60 });
  expect(movedOf(dollars, [thb(-35_000, 1_500)])).toEqual({ amount: -1_000, fee: 43 });
  // What comes back at another rate is all of it.
  expect(movedOf(dollars, [thb(-35_000, 1_500), thb(34_000)])).toEqual({ amount: 0, fee: 43 });
});

test('P39 a fee that is booked beside it has its rate', () => {
  const dollars = { currency: 'usd', amount: 1_000 };
  expect(movedOf(dollars, [thb(0, 1_500), thb(-35_000)])).toEqual({ amount: -1_000, fee: 43 });
  expect(movedOf(dollars, [thb(0, 1_500)])).toEqual({ amount: 0, fee: 0 });
});

test('P39 what has no smaller unit is in hundredths too, the fee in whole ones', () => {
  const yen = { currency: 'jpy', amount: 1_500 };
  expect(movedOf(yen, [thb(-36_000, 1_500)])).toEqual({ amount: -150_000, fee: 6_300 });
});
