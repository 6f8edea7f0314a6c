import { expect, test } from 'vitest';
import { earliestPriceChange, effectiveFrom, vatNoticeUntil } from './price-notice.ts';

const at = (day: string) => new Date(`${day}T03:00:00Z`);
const anchor = at('2026-01-31');
const monthly = (start: string, invoiced = false) => ({ anchor, start: at(start), cycleCount: 1, invoiced });

test('B22 a new price applies 30 days after the notice at the earliest', () => {
  const now = at('2026-03-01');
  expect(earliestPriceChange(now, at('2026-03-10'))).toEqual(at('2026-04-01'));
  expect(earliestPriceChange(now, at('2026-06-01'))).toEqual(at('2026-06-01'));
});

test('it takes effect with the first period that begins then or later, counted from the anchor', () => {
  expect(effectiveFrom(monthly('2026-03-31'), at('2026-04-01'))).toEqual(at('2026-04-30'));
  expect(effectiveFrom(monthly('2026-03-31'), at('2026-03-31'))).toEqual(at('2026-03-31'));
  expect(effectiveFrom({ ...monthly('2027-01-31'), cycleCount: 12 }, at('2026-04-01'))).toEqual(
    at('2027-01-31'),
  );
});

test('an existing invoice keeps the agreed price', () => {
  expect(effectiveFrom(monthly('2026-03-31', true), at('2026-03-20'))).toEqual(at('2026-04-30'));
});

test('B22 a rate of VAT is told 31 days before the invoice of a manual renewal', () => {
  expect(vatNoticeUntil(at('2026-03-01'))).toEqual(at('2026-04-08'));
});
