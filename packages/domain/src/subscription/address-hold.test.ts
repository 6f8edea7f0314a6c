import { expect, test } from 'vitest';
import { addressesGivenUp } from './address-hold.ts';
import { replaceableAt } from './replacement-chain.ts';

const DAY_MS = 24 * 60 * 60_000;
const NOW = new Date('2026-11-22T03:30:00Z');
const before = (days: number) => new Date(NOW.getTime() - days * DAY_MS);
const ended = (days: number, servedDays: number, ranPaidPeriod = false) => ({
  endedAt: before(days),
  servedMs: servedDays * DAY_MS,
  ranPaidPeriod,
});

test('SE1 an address is held after a day of service, or a paid period that ran to its end', () => {
  const [brief, day, month] = [ended(0, 0.99), ended(0, 1), ended(0, 30, true)];
  expect(addressesGivenUp([brief, day, month])).toEqual([brief]);
});

test('SE1 of those that ran no paid period to its end the two newest stay', () => {
  const [one, two, three] = [ended(9, 5), ended(2, 5), ended(5, 5)];
  expect(addressesGivenUp([one, two, three])).toEqual([one]);
  expect(addressesGivenUp([one, two])).toEqual([]);
});

test('SE1 a company whose twenty subscriptions expire keeps all twenty addresses', () => {
  const twenty = Array.from({ length: 20 }, (_, n) => ended(n / 10, 30, true));
  expect(addressesGivenUp([...twenty, ended(1, 5), ended(2, 5)])).toEqual([]);
});

test('SE1 a chain grows by three replacements in a week', () => {
  expect(replaceableAt([before(1), before(3)], NOW)).toBeUndefined();
  expect(replaceableAt([before(8), before(1), before(3)], NOW)).toBeUndefined();
  const next = new Date(before(6).getTime() + 7 * DAY_MS);
  expect(replaceableAt([before(1), before(6), before(3)], NOW)).toEqual(next);
  expect(replaceableAt([before(1), before(6), before(3)], next)).toBeUndefined();
});
