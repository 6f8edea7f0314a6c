import { expect, test } from 'vitest';
import { retainedSince, retentionYears } from './retention.ts';

test('S83 invoices are kept for five years in Thailand, and for ten in other countries', () => {
  expect(retentionYears('TH')).toBe(5);
  expect(retentionYears('DE')).toBe(10);
  expect(retentionYears('')).toBe(10);
});

test.each([
  // The last moment of 2031 in Bangkok, and the first of 2032.
  ['2031-12-31T16:59:59.999Z', '2025-12-31T17:00:00.000Z'],
  ['2031-12-31T17:00:00.000Z', '2026-12-31T17:00:00.000Z'],
  ['2032-07-01T00:00:00.000Z', '2026-12-31T17:00:00.000Z'],
])('S83 the years count from the end of a year: at %s, records older than %s go', (now, since) => {
  expect(retainedSince(new Date(now), 5).toISOString()).toBe(since);
});
