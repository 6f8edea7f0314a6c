import { expect, test } from 'vitest';
import { overrideFault } from './override.ts';

test('a text in the operator’s own words keeps the arguments of the English one', () => {
  expect(overrideFault('order.pay', 'Buy for {amount}')).toBeUndefined();
  expect(overrideFault('order.pay', 'Buy now')).toContain('must have the arguments amount');
  expect(overrideFault('order.pay', 'Buy for {sum}')).toContain('it has sum');
  expect(overrideFault('order.pay', 'Buy for {amount')).toContain('no ICU message');
  expect(overrideFault('order.pay', ' ')).toBe('the text is empty');
  expect(overrideFault('order.pay', 'Buy\nfor {amount}')).toBe('the text has a line break');
});

test('keys are those of the shop, mails included, and names of regions and plans of his own', () => {
  expect(overrideFault('mail.closing', 'Yours, {brand}')).toBeUndefined();
  expect(overrideFault('region.de-fra', 'Frankfurt')).toBeUndefined();
  expect(overrideFault('plans.name.family', 'Family')).toBeUndefined();
  expect(overrideFault('region.de-fra', '{name}')).toContain('it has name');
  expect(overrideFault('closing', 'Yours')).toBe('there is no text closing');
});
