import { expect, test } from 'vitest';
import { screenOf } from './screen-of.ts';

const pathOf = (href: string) => screenOf(href)?.path;

test('a link leads to its screen, whatever follows the path', () => {
  expect(pathOf('#/en')).toBe('');
  expect(pathOf('#/en/')).toBe('');
  expect(pathOf('#/th/order?plan=plus&cycle=12')).toBe('order');
  expect(pathOf('#/en/get-started#FAQ')).toBe('get-started');
  expect(pathOf('/en/Auth/Login/')).toBe('auth/login');
});

test('`subscription/new` is not a subscription with the id `new`', () => {
  expect(pathOf('#/en/management/subscription/new')).toBe('management/subscription/new');
  expect(pathOf('#/en/management/subscription/7')).toBe('management/subscription/:id');
  expect(pathOf('#/en/management/subscription/7/pay')).toBe('management/subscription/:id/pay');
});

test('an unknown path is no screen', () => {
  expect(pathOf('#/en/nothing')).toBeUndefined();
  expect(pathOf('#/en/order/nothing')).toBeUndefined();
  expect(pathOf('#/en/*')).toBeUndefined();
});
