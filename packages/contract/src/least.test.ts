import { expect, test } from 'vitest';
import { currencies, leastByCard, paidByCredit } from './least.ts';

test.each([
  ['all of it', 'THB', 199_00, 300_00, 199_00],
  ['to the last satang', 'THB', 199_00, 199_00, 199_00],
  ['what there is', 'THB', 199_00, 50_00, 50_00],
  ['what leaves just the least', 'THB', 199_00, 189_00, 189_00],
  ['less than there is, where a card could not pay the rest', 'THB', 199_00, 195_00, 189_00],
  ['what there is of an amount that no card pays anyway', 'THB', 8_00, 5_00, 5_00],
  ['yen, which have no hundredths', 'JPY', 900_00, 870_00, 850_00],
  ['so that a card can pay the rest in won, too', 'KRW', 9_900_00, 9_850_00, 8_900_00],
  ['what there is of an unknown currency, which no card pays', 'XTS', 1_00, 99, 99],
])('M11 credit pays %s', (_, currency, due, available, paid) => {
  expect(paidByCredit(currency, due, available)).toBe(paid);
  const rest = due - paid;
  if (due >= leastByCard(currency) && rest > 0) expect(rest).toBeGreaterThanOrEqual(leastByCard(currency));
});

/** Three have nothing smaller at Stripe; three more not in use, but at Stripe. */
const WHOLE = ['JPY', 'KRW', 'VND'];
const WHOLE_IN_USE = ['IDR', 'LAK', 'MMK'];

test('M2 nothing is sold in a currency with another unit than hundredths, but three', () => {
  const digits = (currency: string) =>
    new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits;
  const others = currencies.filter(currency => digits(currency) !== 2 && !WHOLE_IN_USE.includes(currency));
  expect(others).toEqual(WHOLE);
  // Two decimals, of which Stripe takes only noughts, or pays out none.
  expect(currencies.filter(currency => ['HUF', 'ISK', 'TWD', 'UGX'].includes(currency))).toEqual([]);
});
