import { expect, test } from 'vitest';
import { unreachable } from '../testing/unreachable.ts';
import { decideOrder, isOver, orderCheckAnswer, orderTransitions } from './order.ts';

test('every state of an order can be reached from a draft', () => {
  expect(unreachable(orderTransitions, 'draft')).toEqual([]);
});

test('a failed order can be paid with another card', () => {
  expect(decideOrder('awaitingPayment', 'paymentFailed')).toEqual({
    ok: true,
    next: 'failed',
    changed: true,
  });
  expect(decideOrder('failed', 'submit')).toEqual({ ok: true, next: 'awaitingPayment', changed: true });
  expect(decideOrder('awaitingPayment', 'paymentSucceeded')).toEqual({
    ok: true,
    next: 'paid',
    changed: true,
  });
});

test('a repeated payment event changes nothing, even after the order was fulfilled', () => {
  expect(decideOrder('paid', 'paymentSucceeded')).toEqual({ ok: true, next: 'paid', changed: false });
  expect(decideOrder('fulfilled', 'paymentSucceeded')).toEqual({
    ok: true,
    next: 'fulfilled',
    changed: false,
  });
});

test.each([
  ['draft', 'submit', 'awaitingPayment'],
  ['awaitingPayment', 'paymentFailed', 'failed'],
  ['failed', 'paymentSucceeded', 'paid'],
  ['paid', 'fulfil', 'fulfilled'],
  ['paid', 'refund', 'refunded'],
  ['fulfilled', 'refund', 'refunded'],
  ['draft', 'expire', 'expired'],
  ['awaitingPayment', 'expire', 'expired'],
  ['failed', 'expire', 'expired'],
] as const)('an order that is %s: %s makes it %s', (status, command, next) => {
  expect(decideOrder(status, command)).toEqual({ ok: true, next, changed: true });
  expect(decideOrder(next, command)).toEqual({ ok: true, next, changed: false });
});

test.each([
  ['draft', 'paymentSucceeded'],
  ['draft', 'fulfil'],
  ['failed', 'fulfil'],
  ['expired', 'submit'],
  ['expired', 'paymentFailed'],
  ['refunded', 'fulfil'],
  ['refunded', 'paymentFailed'],
] as const)('an order that is %s refuses %s', (status, command) => {
  expect(decideOrder(status, command)).toEqual({ ok: false, refusal: 'orderClosed' });
});

test('a payment event does not make a refunded order paid again', () => {
  expect(decideOrder('refunded', 'paymentSucceeded')).toEqual({ ok: true, next: 'refunded', changed: false });
});

test('money that arrives for an expired order counts; a late decline cannot undo a payment', () => {
  expect(decideOrder('expired', 'paymentSucceeded')).toMatchObject({ ok: true, next: 'paid' });
  expect(decideOrder('paid', 'paymentFailed')).toEqual({ ok: false, refusal: 'orderClosed' });
  expect(decideOrder('fulfilled', 'expire')).toEqual({ ok: false, refusal: 'orderClosed' });
});

test.each([
  ['draft', 'pending', false],
  ['awaitingPayment', 'pending', false],
  ['paid', 'success', false],
  ['fulfilled', 'success', true],
  ['failed', 'fail', false],
  ['expired', 'fail', true],
  ['refunded', 'pending', true],
] as const)('O2 orderCheck for %s answers %s; its token stops working: %s', (status, answer, over) => {
  expect(orderCheckAnswer(status)).toBe(answer);
  expect(isOver(status)).toBe(over);
});
