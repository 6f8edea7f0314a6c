import { expect, test } from 'vitest';
import { daysLeft } from './free-addresses.ts';

test.each([
  [{ free: 10, taken: 10, days: 14 }, 14],
  [{ free: 10, taken: 11, days: 14 }, 12],
  [{ free: 0, taken: 1, days: 1 }, 0],
  [{ free: 5, taken: 0, days: 14 }, undefined],
  [{ free: 5, taken: -3, days: 14 }, undefined],
])('%j lasts %s days', (stock, days) => expect(daysLeft(stock)).toBe(days));
