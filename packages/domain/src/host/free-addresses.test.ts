import { expect, test } from 'vitest';
import { daysLeft, freeFor } from './free-addresses.ts';

test.each([
  [{ free: 10, taken: 10, days: 14 }, 14],
  [{ free: 10, taken: 11, days: 14 }, 12],
  [{ free: 0, taken: 1, days: 1 }, 0],
  [{ free: 5, taken: 0, days: 14 }, undefined],
  [{ free: 5, taken: -3, days: 14 }, undefined],
])('%j lasts %s days', (stock, days) => expect(daysLeft(stock)).toBe(days));

test.each([
  [{ taken: 10, days: 14 }, 10],
  [{ taken: 3, days: 9 }, 5],
  [{ taken: 0, days: 14 }, 0],
  [{ taken: -3, days: 14 }, 0],
])('at the pace of %j a place needs %s free addresses for 14 days, and not one less', (pace, free) => {
  expect(freeFor(14, pace)).toBe(free);
  if (free === 0) return;
  expect(daysLeft({ free, ...pace })).toBeGreaterThanOrEqual(14);
  expect(daysLeft({ free: free - 1, ...pace })).toBeLessThan(14);
});
