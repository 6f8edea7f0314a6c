import { expect, test } from 'vitest';
import { hashRouteOf } from './hash-route.ts';

test.each([
  ['/en/order?plan=solo&cycle=1', '/#/en/order?plan=solo&cycle=1'],
  ['/th', '/#/th'],
  ['/th?utm=mail', '/#/th?utm=mail'],
  ['/en/management/subscription/x#y', '/#/en/management/subscription/x#y'],
  ['/%23/en/auth/reset-password?token=a-b_c', '/#/en/auth/reset-password?token=a-b_c'],
  ['/%23/th/order%3Fplan=solo%26cycle=1', '/#/th/order?plan=solo&cycle=1'],
  ['/%23%2Fen%2Forder%3Fplan%3Dsolo', '/#/en/order?plan=solo'],
  ['/%2523/en/get-started', '/#/en/get-started'],
  ['/%23/order', '/#/order'],
  ['/%23//evil.example', '/#/evil.example'],
  ['/status', '/#/status'],
  ['/%23/%E0%A4%A', '/#/%E0%A4%A'],
])('BG5 %s leads to %s', (url, target) => {
  expect(hashRouteOf(url)).toBe(target);
});

test.each([
  '/',
  '/xx/order',
  '/order?plan=solo',
  '/english',
  '//en/order',
  '/assets/x.js',
  '/status.json',
  '/.env',
])('%s is no route of the shop', url => {
  expect(hashRouteOf(url)).toBeUndefined();
});
