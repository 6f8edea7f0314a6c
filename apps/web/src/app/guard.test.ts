import { expect, test } from 'vitest';
import { guardTarget } from './guard.ts';

test.each([
  ['guestOnly', true, '/get-started'],
  ['guestOnly', false, undefined],
  ['customer', false, '/auth/login'],
  ['customer', true, undefined],
  ['public', true, undefined],
  ['public', false, undefined],
] as const)('W12 a screen for %s, logged in %s, leads to %s', (guard, loggedIn, target) => {
  expect(guardTarget(guard, loggedIn)).toBe(target);
});
