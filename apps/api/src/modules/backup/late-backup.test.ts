import { expect, test } from 'vitest';
import { isDue, isLate } from './late-backup.ts';

const last = new Date('2026-12-01T03:00:00Z');
const after = (hours: number) => new Date(last.getTime() + hours * 60 * 60_000);

test.each([
  [24, 23.9, false, false],
  [24, 24, true, false],
  [24, 30, true, false],
  [24, 30.1, true, true],
  [1, 1, true, false],
  [1, 2.1, true, true],
])('with a backup every %s h, one of %s h ago: due %s, late %s', (every, hours, due, late) => {
  expect(isDue(last, every, after(hours))).toBe(due);
  expect(isLate(last, every, after(hours))).toBe(late);
});

test('the first backup is due at once', () => {
  expect(isDue(undefined, 24, last)).toBe(true);
});
