import { expect, test } from 'vitest';
import { guardOf, guardTarget } from './guard.ts';
import { screens } from './screens.ts';

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

test.each([
  ['/management', 'customer'],
  ['/management/no/such/page', 'customer'],
  ['//Management/subscription/x/nothing', 'customer'],
  ['/auth', 'guestOnly'],
  ['/auth/no-such-page', 'guestOnly'],
  ['/', 'guestOnly'],
  ['', 'guestOnly'],
  ['/no/such/page', 'public'],
  ['/authority', 'public'],
  ['/managements', 'public'],
] as const)('SP7 the guard of an area comes before the search for a screen: %s is for %s', (path, guard) => {
  expect(guardOf(path, 'public')).toBe(guard);
});

test('the table of screens and the guards of the areas agree', () => {
  for (const { path, guard } of screens) expect(guardOf(`/${path}`, guard), path).toBe(guard);
});
