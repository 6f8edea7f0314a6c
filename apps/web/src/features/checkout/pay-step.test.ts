import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { PayMethod } from '../../shop/pay-method.ts';
import { PayStep } from './pay-step.tsx';

const aMethod = (method: PayMethod['method']): PayMethod => ({
  method,
  title: `by ${method}`,
  missing: () => [],
  fields: errors => `fields of ${method}: ${errors.map(({ text }) => text)}`,
  confirm: async () => ({ kind: 'taken' }),
});
const drawn = (methods: PayMethod[], chosen: PayMethod, paying = false) =>
  renderToStaticMarkup(
    createElement(PayStep, {
      legend: 'Payment',
      methods,
      chosen,
      onChoose: () => undefined,
      errors: [{ id: 'number', text: 'no number' }],
      paying,
    }),
  );

test('a single payment method is no choice', () => {
  const card = aMethod('card');
  expect(drawn([card], card)).toContain('by card');
  expect(drawn([card], card)).not.toContain('type="radio"');
});

test('FC11 of several methods each can be chosen, and only the chosen one shows its fields', () => {
  const [card, paypal] = [aMethod('card'), aMethod('paypal')];
  const page = drawn([card, paypal], paypal);
  expect(page.match(/type="radio"/g)).toHaveLength(2);
  expect(page).toContain('by card');
  expect(page).toMatch(/checked="" value="paypal"/);
  expect(page).toContain('fields of paypal: no number');
  expect(page).not.toContain('fields of card');
});

test('during the payment the method cannot be changed, and its fields stay', () => {
  const [card, paypal] = [aMethod('card'), aMethod('paypal')];
  const page = drawn([card, paypal], card, true);
  expect(page.match(/disabled=""/g)).toHaveLength(2);
  expect(page).toContain('fields of card');
});
