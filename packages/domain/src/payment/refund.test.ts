import { expect, test } from 'vitest';
import { unreachable } from '../testing/unreachable.ts';
import { nextRefundStatus, refundTransitions } from './refund.ts';

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
