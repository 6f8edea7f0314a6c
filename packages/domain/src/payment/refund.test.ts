import { expect, test } from 'vitest';
import { unreachable } from '../testing/unreachable.ts';
import { isTooOldToRefund, nextRefundStatus, refundTransitions, refusedRefundEnd } from './refund.ts';

test('every state of a refund can be reached', () => {
  expect(unreachable(refundTransitions, 'created')).toEqual([]);
});

test.each([
  ['created', 'pending', 'pending'],
  ['created', 'succeeded', 'succeeded'],
  ['pending', 'failed', 'failed'],
  ['succeeded', 'failed', 'failed'],
  ['succeeded', 'pending', 'succeeded'],
  ['failed', 'succeeded', 'failed'],
] as const)('FM2 a refund that is %s and reported as %s is %s', (status, reported, next) => {
  expect(nextRefundStatus(status, reported)).toBe(next);
});

test.each([
  ['paypal', 180, 0, false],
  ['paypal', 180, 1, true],
  ['stripe', 9_999, 0, false],
])('%s does not refund what was paid %s days and %s ms ago: %s', (provider, days, ms, tooOld) => {
  const now = new Date('2027-06-01T00:00:00Z');
  const paidAt = new Date(now.getTime() - days * 24 * 60 * 60_000 - ms);
  expect(isTooOldToRefund(provider, paidAt, now)).toBe(tooOld);
});

test.each([
  ['gone', false, 'gone'],
  ['gone', true, 'gone'],
  ['never', false, 'refused'],
  ['disputed', false, 'waits'],
  ['disputed', true, 'refused'],
  ['later', false, 'waits'],
  ['later', true, 'waits'],
] as const)('a refund that is refused as %s, dispute decided %s, %s', (refused, decided, end) => {
  expect(refusedRefundEnd(refused, decided)).toBe(end);
});
