import { expect, test } from 'vitest';
import { defaultMethod } from './default-method.ts';

const card = (last4: string, more: object = {}) => ({
  id: `met_${last4}`,
  brand: 'visa',
  last4,
  expiryMonth: 1,
  expiryYear: 2030,
  isDefault: false,
  isPast: false,
  ...more,
});
const account = { id: 'met_paypal', account: 's***@buyer.example', isDefault: true };

test('the default pays, not another saved method, and is named', () => {
  const cards = [card('1111'), card('4242', { isDefault: true })];
  expect(defaultMethod({ cards, accounts: [] })).toEqual({
    name: 'Visa •••• 4242',
    pays: { paymentMethod: 'card', cardId: 'met_4242' },
  });
  expect(defaultMethod({ cards: [card('1111')], accounts: [account] })).toEqual({
    name: 'PayPal, s***@buyer.example',
    pays: { paymentMethod: 'paypal', accountId: 'met_paypal' },
  });
});

test('an expired card is named but does not pay; without a default there is nothing', () => {
  const past = card('4242', { isDefault: true, isPast: true });
  expect(defaultMethod({ cards: [past, card('1111')], accounts: [] })).toEqual({ name: 'Visa •••• 4242' });
  expect(defaultMethod({ cards: [card('1111')], accounts: [] })).toBeUndefined();
});
