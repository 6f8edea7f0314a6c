import { expect, test } from 'vitest';
import { amountLimits, takesAmount } from './amount-limits.ts';

const card = (minimumByCard: number) => ({ minimumByCard });

test.each([
  // method, currency, minimum by card, largest refused below, least, largest, refused above
  ['card', 'THB', 10_00, 9_99, 10_00, 999_999_99, 1_000_000_00],
  // A yen is a whole unit at Stripe: eight digits of yen.
  ['card', 'JPY', 50_00, 49_00, 50_00, 99_999_999_00, 100_000_000_00],
  ['card', 'IDR', 11_000_00, 10_999_00, 11_000_00, 9_999_999_999_99, 10_000_000_000_00],
  ['promptpay', 'THB', 10_00, 9_99, 10_00, 999_999_99, 1_000_000_00],
  ['paypal', 'THB', 10_00, 0, 1, 1_000_000_00, undefined],
  ['paypal', 'JPY', 50_00, 99, 1_00, 100_000_000_00, undefined],
] as const)(
  'BG2 %s takes amounts in %s within its limits',
  (method, currency, minimum, below, least, most, above) => {
    const takes = (amount: number) => takesAmount(method, currency, amount, card(minimum));
    expect([takes(below), takes(least), takes(most)]).toEqual([false, true, true]);
    if (above) expect(takes(above)).toBe(false);
  },
);

test('BG2 a method takes no currency that it does not know', () => {
  expect(amountLimits('card', 'XYZ', card(Number.POSITIVE_INFINITY))).toBeUndefined();
  expect(amountLimits('promptpay', 'USD', card(50))).toBeUndefined();
  for (const currency of ['KRW', 'VND', 'IDR', 'KHR', 'LAK', 'MMK'])
    expect(amountLimits('paypal', currency, card(15_000_00))).toBeUndefined();
  expect(takesAmount('paypal', 'LAK', undefined, card(15_000_00))).toBe(false);
  expect(takesAmount('card', 'THB', undefined, card(10_00))).toBe(true);
});

test('BG2 bitcoin takes nothing below the dust limit at its rate', () => {
  const facts = { minimumByCard: 10_00, bitcoin: 3_400_000_00 };
  const { least } = amountLimits('bitcoin', 'THB', facts)!;
  expect(least).toBe(10_00);
  expect(takesAmount('bitcoin', 'THB', 9_99, facts)).toBe(false);
  // Without a rate only its server knows.
  expect(takesAmount('bitcoin', 'THB', 1, card(10_00))).toBe(true);
});
