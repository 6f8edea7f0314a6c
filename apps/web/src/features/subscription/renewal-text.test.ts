import { expect, test } from 'vitest';
import { renewalText } from './renewal-text.ts';

const CHARGED = '2027-11-21T03:30:00.000Z';
const END = '2027-11-22T03:30:00.000Z';
const on = { cancelAtPeriodEnd: false, suspended: false, overdue: false, byHand: false, billedAt: CHARGED };
const { billedAt: _, ...billed } = on;

test('a subscription that renews names the day of its charge or invoice', () => {
  expect(renewalText(on, END)).toEqual({ key: 'renewal.on', at: CHARGED });
  expect(renewalText({ ...on, byHand: true }, END)).toEqual({ key: 'renewal.on.byHand', at: CHARGED });
});

test('an open invoice promises no day that is over', () => {
  for (const overdue of [false, true])
    expect(renewalText({ ...billed, overdue }, END)).toEqual({ key: 'renewal.on.paid', at: END });
});

test('a subscription that is turned off names its last day if that is still to come', () => {
  const off = { ...billed, cancelAtPeriodEnd: true };
  expect(renewalText(off, END)).toEqual({ key: 'renewal.off', at: END });
  expect(renewalText({ ...off, overdue: true }, END)).toEqual({ key: 'renewal.off.now', at: END });
  expect(renewalText({ ...off, replacedBy: 'sub_1' }, END).key).toBe('renewal.replaced');
  expect(renewalText({ ...billed, suspended: true }, END).key).toBe('renewal.suspended');
});
