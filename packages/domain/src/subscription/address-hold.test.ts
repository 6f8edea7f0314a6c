import { expect, test } from 'vitest';
import { addressHold, givenUp } from './address-hold.ts';
import { replaceableAt } from './replacement-chain.ts';

const DAY_MS = 24 * 60 * 60_000;
const NOW = new Date('2026-11-22T03:30:00Z');
const before = (days: number) => new Date(NOW.getTime() - days * DAY_MS);

test.each([
  [30, true, 'always'],
  [30, false, 'limited'],
  [1, false, 'limited'],
  [0.99, false, 'no'],
  [0, false, 'no'],
] as const)('SE1 after %d days of service (whole paid period: %s) the address is held: %s', (days, ran, hold) => {
  expect(addressHold({ servedMs: days * DAY_MS, ranPaidPeriod: ran })).toBe(hold);
});

test('SE1 of limited reservations the two newest stay', () => {
  const [one, two, three] = [before(9), before(2), before(5)].map(endedAt => ({ endedAt }));
  expect(givenUp([one!, two!, three!])).toEqual([one]);
  expect(givenUp([one!, two!])).toEqual([]);
});

test('SE1 a chain grows by three replacements in a week', () => {
  expect(replaceableAt([before(1), before(3)], NOW)).toBeUndefined();
  expect(replaceableAt([before(8), before(1), before(3)], NOW)).toBeUndefined();
  const next = new Date(before(6).getTime() + 7 * DAY_MS);
  expect(replaceableAt([before(1), before(6), before(3)], NOW)).toEqual(next);
  expect(replaceableAt([before(1), before(6), before(3)], next)).toBeUndefined();
});
