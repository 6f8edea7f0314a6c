import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  bangkokDate,
  bangkokDay,
  bangkokDaysBetween,
  bangkokMonth,
  nextPeriodEnd,
  periodEnd,
} from './bangkok.ts';

const at = (iso: string) => new Date(iso);

test('a month begins at midnight in Bangkok, not in UTC', () => {
  expect(bangkokMonth(at('2026-10-31T16:59:59Z'))).toBe('2026-10');
  expect(bangkokMonth(at('2026-10-31T17:00:00Z'))).toBe('2026-11');
  expect(bangkokMonth(at('2026-12-31T17:00:00Z'))).toBe('2027-01');
});

test('a day begins there seven hours before it does in UTC', () => {
  expect(bangkokDay(at('2026-12-31T16:59:59Z'))).toBe('2026-12-31');
  expect(bangkokDay(at('2026-12-31T17:00:00Z'))).toBe('2027-01-01');
});

test('periods are counted from the anchor over the end of years', () => {
  const anchor = at('2026-08-31T05:00:00Z');
  const ends = [periodEnd(anchor, 3)];
  for (let n = 0; n < 6; n++) ends.push(nextPeriodEnd(anchor, ends.at(-1)!, 3));
  expect(ends.map(end => bangkokDay(end))).toEqual([
    '2026-11-30',
    '2027-02-28',
    '2027-05-31',
    '2027-08-31',
    '2027-11-30',
    '2028-02-29',
    '2028-05-31',
  ]);
});

test.each([
  ['2026-01-31T05:00:00Z', 1, '2026-02-28T05:00:00.000Z'],
  ['2026-01-31T05:00:00Z', 2, '2026-03-31T05:00:00.000Z'],
  ['2028-01-31T05:00:00Z', 1, '2028-02-29T05:00:00.000Z'],
  ['2026-11-21T10:00:00Z', 12, '2027-11-21T10:00:00.000Z'],
  // 1 March 02:00 in Bangkok is still February in UTC.
  ['2026-02-28T19:00:00Z', 1, '2026-03-31T19:00:00.000Z'],
])('%s and %i months end at %s', (anchor, months, end) => {
  expect(periodEnd(at(anchor), months).toISOString()).toBe(end);
});

test('a later period never ends before an earlier one, and keeps the day where the month has it', () => {
  const anchors = fc.date({
    min: at('2020-01-01T00:00:00Z'),
    max: at('2040-01-01T00:00:00Z'),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(anchors, fc.integer({ min: 1, max: 60 }), (anchor, n) => {
      expect(periodEnd(anchor, n + 1).getTime()).toBeGreaterThan(periodEnd(anchor, n).getTime());
      expect(bangkokDate(periodEnd(anchor, n)).day).toBeLessThanOrEqual(bangkokDate(anchor).day);
    }),
  );
});

test('days are counted by the midnights of Bangkok', () => {
  const evening = at('2026-10-31T16:59:59Z');
  expect(bangkokDaysBetween(evening, at('2026-10-31T17:00:00Z'))).toBe(1);
  expect(bangkokDaysBetween(evening, at('2026-11-02T16:59:59Z'))).toBe(2);
  expect(bangkokDaysBetween(at('2026-10-31T17:00:00Z'), evening)).toBe(-1);
});
