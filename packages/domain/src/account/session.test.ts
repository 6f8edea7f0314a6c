import { expect, test } from 'vitest';
import { ABSOLUTE_MS, ACCESS_MS, DEVICE_COOKIE_MS, IDLE_MS, isConfirmed } from './session.ts';

test.each([
  ['S20 an access token lasts five minutes', ACCESS_MS, 5],
  ['S21 a session that nobody uses lasts 14 days', IDLE_MS, 14 * 1440],
  ['S21 no session lasts longer than 30 days', ABSOLUTE_MS, 30 * 1440],
  ['S13 a browser is recognised for 180 days after its last log-in', DEVICE_COOKIE_MS, 180 * 1440],
])('%s', (_, ms, minutes) => {
  expect(ms / 60_000).toBe(minutes);
});

test.each([
  [0, true],
  [5 * 60, true],
  [5 * 60 + 1, false],
])('S16 a user who confirmed %d seconds ago who they are is confirmed: %s', (seconds, confirmed) => {
  const now = new Date('2026-11-21T10:00:00Z');
  expect(isConfirmed(new Date(now.getTime() - seconds * 1000), now)).toBe(confirmed);
});
