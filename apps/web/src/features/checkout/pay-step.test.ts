import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { PayMethod } from '../../shop/pay-method.ts';
import { chosenMethod, PayStep } from './pay-step.tsx';

const aMethod = (method: PayMethod['method']): PayMethod => ({
  id: method,
  charged: true,
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
  // What was typed stays, out of sight.
  expect(page).toMatch(/hidden="">fields of card: </);
  expect(page).toMatch(/panel\w*">fields of paypal: no number</);
});

test('U29 what a method needs stands in its row, under its radio', () => {
  const page = drawn([aMethod('card'), aMethod('paypal')], aMethod('card'));
  const order = ['by card', 'fields of card', 'by paypal', 'fields of paypal'].map(part =>
    page.indexOf(part),
  );
  expect(order).toEqual([...order].sort((a, b) => a - b));
});

test('a method that asks something is in sight whatever is chosen', () => {
  const card = { ...aMethod('card'), asking: true };
  expect(drawn([card, aMethod('paypal')], aMethod('paypal'))).toMatch(/panel\w*">fields of card/);
});

test('what the customer picks is chosen; else what they have begun, else the previous method, else the first', () => {
  const saved = { ...aMethod('card'), id: 'crd_1' };
  const [card, paypal] = [aMethod('card'), aMethod('paypal')];
  const all = [saved, card, paypal] as const;
  const begun = [saved, { ...card, begun: true }, paypal] as const;
  const idOf = (...of: Parameters<typeof chosenMethod>) => chosenMethod(...of).id;
  expect(idOf([...all], 'paypal', 'card')).toBe('paypal');
  expect(idOf([...begun], undefined, 'paypal')).toBe('card');
  expect(idOf([...begun], 'crd_1', undefined)).toBe('crd_1');
  expect(idOf([...all], undefined, 'paypal')).toBe('paypal');
  // Not the new card: the saved one needs no input.
  expect(idOf([...all], undefined, 'card')).toBe('crd_1');
  expect(idOf([...all], undefined, undefined)).toBe('crd_1');
});

test('during the payment the method cannot be changed, and its fields stay', () => {
  const [card, paypal] = [aMethod('card'), aMethod('paypal')];
  const page = drawn([card, paypal], card, true);
  expect(page.match(/disabled=""/g)).toHaveLength(2);
  expect(page).toContain('fields of card');
});
