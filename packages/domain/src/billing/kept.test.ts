import { expect, test } from 'vitest';
import { keptSince, keptYears } from './kept.ts';

test('S83 invoices are kept for five years in Thailand, and for ten where nothing else is known', () => {
  expect(keptYears('TH')).toBe(5);
  expect(keptYears('DE')).toBe(10);
  expect(keptYears('')).toBe(10);
});

test.each([
  // The last moment of 2031 in Bangkok, and the first of 2032.
  ['2031-12-31T16:59:59.999Z', '2025-12-31T17:00:00.000Z'],
  ['2031-12-31T17:00:00.000Z', '2026-12-31T17:00:00.000Z'],
  ['2032-07-01T00:00:00.000Z', '2026-12-31T17:00:00.000Z'],
])('S83 the years count from the end of a year: at %s, what is older than %s', (now, since) => {
  expect(keptSince(new Date(now), 5).toISOString()).toBe(since);
});
