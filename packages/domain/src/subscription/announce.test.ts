import { expect, test } from 'vitest';
import { earliestPrice, holdsFrom, inTimeFor } from './announce.ts';

const at = (day: string) => new Date(`${day}T03:00:00Z`);
const anchor = at('2026-01-31');
const monthly = (start: string, invoiced = false) => ({ anchor, start: at(start), cycleCount: 1, invoiced });

test('B22 another price is asked for 30 days after it was told at the earliest', () => {
  const now = at('2026-03-01');
  expect(earliestPrice(now, at('2026-03-10'))).toEqual(at('2026-04-01'));
  expect(earliestPrice(now, at('2026-06-01'))).toEqual(at('2026-06-01'));
});

test('it holds from the first period that begins then or later, by the day of the anchor', () => {
  expect(holdsFrom(monthly('2026-03-31'), at('2026-04-01'))).toEqual(at('2026-04-30'));
  expect(holdsFrom(monthly('2026-03-31'), at('2026-03-31'))).toEqual(at('2026-03-31'));
  expect(holdsFrom({ ...monthly('2027-01-31'), cycleCount: 12 }, at('2026-04-01'))).toEqual(at('2027-01-31'));
});

test('an invoice that stands asks for what was agreed', () => {
  expect(holdsFrom(monthly('2026-03-31', true), at('2026-03-20'))).toEqual(at('2026-04-30'));
});

test('what begins 30 days after it was told is told in time', () => {
  expect(inTimeFor(at('2026-03-01'))).toEqual(at('2026-03-31'));
});
