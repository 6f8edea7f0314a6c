import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fromProviderUnit, toProviderUnit, wholeUnits, wholeUnitsIn, withVat } from './money.ts';

test.each([
  [10_700, 700, 10_000, 700],
  [29_900, 700, 27_944, 1_956],
  [1, 700, 1, 0],
  [15, 700, 14, 1],
  [0, 700, 0, 0],
  [12_345, 0, 12_345, 0],
])('%i gross at %i bp is %i net and %i VAT', (price, rate, net, vat) => {
  expect(withVat('THB', price, rate)).toEqual({ currency: 'THB', price, net, vat });
});

test('S35 net and VAT always add up to the price, and VAT is the nearest integer', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 1_000_000_000 }),
      fc.integer({ min: 0, max: 3000 }),
      (price, rate) => {
        const a = withVat('THB', price, rate);
        expect(a.net + a.vat).toBe(price);
        expect(Math.abs(a.vat - (price * rate) / (10_000 + rate))).toBeLessThanOrEqual(0.5);
      },
    ),
  );
});

test.each([
  ['JPY', 1200],
  ['KRW', 1200],
  ['VND', 1200],
  ['THB', 120_000],
])('%s 1,200.00 is %d to the provider and converts back to the same', (currency, unit) => {
  expect(toProviderUnit(currency, 120_000)).toBe(unit);
  // Stripe's spelling.
  expect(fromProviderUnit(currency.toLowerCase(), unit)).toBe(120_000);
});

test.each([
  ['THB', 120.6, 121, 120],
  ['JPY', 19_950, 20_000, 19_900],
  ['JPY', 19_900, 19_900, 19_900],
])('%s %d is %d in whole units, and %d when rounded down', (currency, amount, rounded, came) => {
  expect([wholeUnits(currency, amount), wholeUnitsIn(currency, amount)]).toEqual([rounded, came]);
});

test('half a yen is not a valid amount', () => {
  expect(() => toProviderUnit('JPY', 120_050)).toThrow(new RangeError('JPY has no minor unit'));
});
