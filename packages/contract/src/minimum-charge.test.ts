import { expect, test } from 'vitest';
import { currencies, minimumByCard, paidByCredit } from './minimum-charge.ts';

test.each([
  ['the full amount', 'THB', 199_00, 300_00, 199_00],
  ['the amount to the last satang', 'THB', 199_00, 199_00, 199_00],
  ['as much as there is', 'THB', 199_00, 50_00, 50_00],
  ['an amount that leaves exactly the minimum', 'THB', 199_00, 189_00, 189_00],
  ['less than there is, where a card could not pay the rest', 'THB', 199_00, 195_00, 189_00],
  ['as much as there is of an amount below the minimum of a card', 'THB', 8_00, 5_00, 5_00],
  ['yen without hundredths', 'JPY', 900_00, 870_00, 850_00],
  ['won so that a card can pay the rest', 'KRW', 9_900_00, 9_850_00, 8_900_00],
  ['as much as there is of an unknown currency, which no card pays', 'XTS', 1_00, 99, 99],
])('M11 credit pays %s', (_, currency, due, available, paid) => {
  expect(paidByCredit(currency, due, available)).toBe(paid);
  const rest = due - paid;
  if (due >= minimumByCard(currency) && rest > 0)
    expect(rest).toBeGreaterThanOrEqual(minimumByCard(currency));
});

/**
 * Three currencies without a smaller unit at Stripe, and three whose smaller unit is out of use but
 * exists at Stripe.
 */
const WHOLE = ['JPY', 'KRW', 'VND'];
const WHOLE_IN_USE = ['IDR', 'LAK', 'MMK'];

test('M2 all currencies on sale use hundredths, with three exceptions', () => {
  const digits = (currency: string) =>
    new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits;
  const others = currencies.filter(currency => digits(currency) !== 2 && !WHOLE_IN_USE.includes(currency));
  expect(others).toEqual(WHOLE);
  // Two decimals, of which Stripe accepts only zeros, or does not pay them out.
  expect(currencies.filter(currency => ['HUF', 'ISK', 'TWD', 'UGX'].includes(currency))).toEqual([]);
});
