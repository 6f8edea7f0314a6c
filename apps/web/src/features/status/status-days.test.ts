import { expect, test } from 'vitest';
import { DAYS, lastDays, marksOf, type PlaceStatus, undisturbedShare } from './status-days.ts';

const now = new Date('2026-11-28T20:00:00Z');
const place = (...days: PlaceStatus['days']): PlaceStatus => ({
  region: { id: 'th-bkk', name: 'Bangkok' },
  provider: 'Demo',
  vendor: 'Fixpoint',
  state: 'up',
  days,
});
const day = (name: string, watchedMinutes: number, disturbedMinutes = 0) => ({
  day: name,
  watchedMinutes,
  disturbedMinutes,
});

test('the days are those of Bangkok, and one that nobody watched is not a good one', () => {
  expect([lastDays(now)[0], lastDays(now).at(-1)]).toEqual(['2026-09-01', '2026-11-29']);
  const marks = marksOf(place(day('2026-11-28', 1440, 3), day('2026-11-29', 180)), now);
  expect(marks).toHaveLength(DAYS);
  expect(marks.slice(-3).map(({ tone }) => tone)).toEqual(['none', 'bad', 'good']);
});

test('a disturbance is never rounded away, and nothing is said where nobody watched', () => {
  expect(undisturbedShare(place())).toBeUndefined();
  expect(undisturbedShare(place(day('2026-11-29', 100)))).toBe(1);
  expect(undisturbedShare(place(day('2026-11-28', 100_000), day('2026-11-29', 1440, 1)))).toBe(0.999);
});
