import { expect, test } from 'vitest';
import { MOST_FREE_DAYS, refusesFreeDays, withFreeDays } from './free-days.ts';

const NOW = new Date('2026-11-22T03:30:00Z');
const days = (n: number) => new Date(NOW.getTime() + n * 24 * 60 * 60_000);
const running = {
  status: 'active' as const,
  period: { start: days(-10), end: days(20) },
  suspended: false,
  replaced: false,
};
const refusal = (change: Partial<Parameters<typeof refusesFreeDays>[0]>) =>
  refusesFreeDays({ ...running, ...change }, 5, [], NOW);

test('a running subscription is given free days, and no other one', () => {
  expect(refusal({})).toBeUndefined();
  expect(refusal({ period: { start: days(5), end: days(35) } })).toBeUndefined();
  expect(refusal({ status: 'expired' })).toBe('ended');
  expect(refusal({ status: 'provisioning', period: null })).toBe('notStarted');
  expect(refusal({ status: 'pastDue' })).toBe('pastDue');
  expect(refusal({ period: { start: days(-30), end: NOW } })).toBe('pastDue');
  expect(refusal({ suspended: true })).toBe('suspended');
  expect(refusal({ replaced: true })).toBe('replaced');
});

test('the same gift within a day, and more than the ceiling within as many days, are refused', () => {
  const after = (given: { at: Date; days: number }[], more = 5) => refusesFreeDays(running, more, given, NOW);
  expect(after([{ at: days(-0.9), days: 5 }])).toBe('repeated');
  expect(after([{ at: days(-0.9), days: 4 }])).toBeUndefined();
  expect(after([{ at: days(-1), days: 5 }])).toBeUndefined();
  expect(after([], MOST_FREE_DAYS)).toBeUndefined();
  expect(after([], MOST_FREE_DAYS + 1)).toBe('ceiling');
  expect(after([{ at: days(-30), days: 27 }])).toBe('ceiling');
  expect(after([{ at: days(-31), days: 27 }])).toBeUndefined();
});

test('free days keep the hour of a period', () => {
  expect(withFreeDays(new Date('2027-02-27T09:15:00Z'), 3)).toEqual(new Date('2027-03-02T09:15:00Z'));
});
