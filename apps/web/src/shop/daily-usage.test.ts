import { expect, test } from 'vitest';
import { dailyUsage } from './daily-usage.ts';

test('days without use are in the row, across the end of a month too', () => {
  const used = (day: string, bytes: number) => ({ day, downBytes: bytes, upBytes: 1 });
  expect(dailyUsage([used('2026-12-02', 5), used('2026-11-29', 9)])).toEqual([10, 0, 0, 6]);
  expect(dailyUsage([])).toEqual([]);
});
