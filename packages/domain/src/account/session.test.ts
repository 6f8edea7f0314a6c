import { expect, test } from 'vitest';
import { isConfirmed } from './session.ts';

test.each([
  [0, true],
  [5 * 60, true],
  [5 * 60 + 1, false],
])('S16 who proved %d seconds ago who he is has proved it: %s', (seconds, confirmed) => {
  const now = new Date('2026-11-21T10:00:00Z');
  expect(isConfirmed(new Date(now.getTime() - seconds * 1000), now)).toBe(confirmed);
});
