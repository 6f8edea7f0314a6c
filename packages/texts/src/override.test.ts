import { expect, test } from 'vitest';
import { overrideFault } from './override.ts';

test('a text override keeps the arguments of the English text', () => {
  expect(overrideFault('order.pay', 'Buy for {amount}')).toBeUndefined();
  expect(overrideFault('order.pay', 'Buy now')).toContain('must have the arguments amount');
  expect(overrideFault('order.pay', 'Buy for {sum}')).toContain('it has sum');
  expect(overrideFault('order.pay', 'Buy for {amount')).toContain('no ICU message');
  expect(overrideFault('order.pay', ' ')).toBe('the text is empty');
  expect(overrideFault('order.pay', 'Buy\nfor {amount}')).toBe('the text has a line break');
});

test('a text override uses no syntax that pages cannot format', () => {
  const text = (days: string) => overrideFault('order.change.days', days);
  expect(text('{days, plural, =1 {one more day} other {# more days}}')).toBeUndefined();
  expect(text('{days, selectordinal, one {#st day} other {#th day}}')).toContain(
    'days in a format of its own',
  );
  expect(text('{days, plural, offset:1 one {# day} other {# days}}')).toContain(
    'days in a format of its own',
  );
  expect(overrideFault('order.pay', 'Buy for {amount, number}')).toContain('amount in a format of its own');
  expect(overrideFault('order.pay', "Buy for '{'{amount}")).toContain("the text has '{");
  for (const twice of ["Buy for {amount}, it''s fine", "Buy '<now>' for {amount}"])
    expect(overrideFault('order.pay', twice)).toContain('means something else');
  expect(text('{days, plural, other {# days}}} and that is all')).toBe('a page would only say: 1 days');
  const renews = (month: string) =>
    overrideFault('order.renews', `{cycle, select, ${month} {each} other {{cycle}}} {amount} {date}`);
  expect(renews('1')).toBeUndefined();
  expect(renews('หนึ่ง')).toContain('no ICU message');
});

test('a text override needs a known key (emails included) or one of the operator’s own regions and plans', () => {
  expect(overrideFault('email.closing', 'Yours, {brand}')).toBeUndefined();
  expect(overrideFault('region.de-fra', 'Frankfurt')).toBeUndefined();
  expect(overrideFault('plans.name.family', 'Family')).toBeUndefined();
  expect(overrideFault('region.de-fra', '{name}')).toContain('it has name');
  expect(overrideFault('closing', 'Yours')).toBe('there is no text closing');
});
