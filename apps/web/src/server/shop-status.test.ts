import { afterEach, expect, test, vi } from 'vitest';
import { answerStatus, hearStatus, readStatus, shopStatus } from './shop-status.ts';

afterEach(() => vi.restoreAllMocks());

/** Sets the time since the page was opened, ms. */
const at = (ms: number) => vi.spyOn(performance, 'now').mockReturnValue(ms);

test('SP12 any answer tells of maintenance by its header, and of its end', () => {
  readStatus(new Headers({ 'shop-status': 'MAINTENANCE' }), 1);
  expect(shopStatus.get()).toBe('MAINTENANCE');
  readStatus(new Headers(), 2);
  readStatus(new Headers({ 'shop-status': 'CLOSED' }), 3);
  expect(shopStatus.get()).toBe('MAINTENANCE');
  readStatus(new Headers({ 'shop-status': 'NORMAL' }), 4);
  expect(shopStatus.get()).toBe('NORMAL');
});

test('an answer that was under way is older than what the socket said meanwhile', () => {
  at(100);
  hearStatus('MAINTENANCE');
  answerStatus('NORMAL', 99);
  expect(shopStatus.get()).toBe('MAINTENANCE');
  answerStatus('NORMAL', 101);
  expect(shopStatus.get()).toBe('NORMAL');
});
