import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { unreachable } from '../testing/unreachable.ts';
import {
  type AttemptStatus,
  asksOwner,
  attemptTransitions,
  declineRefusal,
  followProvider,
  isHardDecline,
  mayBeCaptured,
  nextAsk,
  openAttempt,
  payableAttempt,
  type ReportedState,
} from './attempt.ts';

const statuses = Object.keys(attemptTransitions) as AttemptStatus[];
const reported: ReportedState[] = [...statuses.filter(status => status !== 'created'), 'approved'];

test('every state of an attempt can be reached', () => {
  expect(unreachable(attemptTransitions, 'created')).toEqual([]);
});

test('FM1 once the money has arrived no later word changes that, in whatever order the words come', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...reported)), words => {
      expect(words.reduce<AttemptStatus>(followProvider, 'succeeded')).toBe('succeeded');
    }),
  );
});

test.each(statuses)('FM1 success wins from %s', status => {
  expect(followProvider(status, 'succeeded')).toBe('succeeded');
});

test('a closed attempt stays closed but for money, and could take money until then', () => {
  for (const word of reported) {
    if (word !== 'succeeded') expect(followProvider('closed', word)).toBe('closed');
  }
  expect(payableAttempt).toEqual(statuses.filter(status => status !== 'closed' && status !== 'succeeded'));
  expect(openAttempt).not.toContain('failed');
});

test('what was agreed to is taken while it can be paid, and not once it was refused', () => {
  for (const status of openAttempt) expect(followProvider(status, 'approved')).toBe('processing');
  expect(followProvider('failed', 'approved')).toBe('failed');
});

test.each([
  ['processing', 0, true],
  ['processing', 29, true],
  ['processing', 30, false],
  ['open', 0, false],
  ['failed', 0, false],
] as const)(
  '%s and %d seconds after the last news, its money may be on its way to us: %s',
  (status, seconds, may) => {
    const last = new Date('2026-11-20T05:00:00Z');
    expect(mayBeCaptured(status, last, new Date(last.getTime() + seconds * 1000))).toBe(may);
  },
);

describe('asking again', () => {
  const last = new Date('2026-11-20T05:00:00Z');
  const after = (minutes: number) => new Date(last.getTime() + minutes * 60_000);
  test.each([
    [0, 1],
    [0.9, 1],
    [1, 5],
    [5, 60],
    [60, 24 * 60],
    [24 * 60, 2 * 24 * 60],
    [5 * 24 * 60, 6 * 24 * 60],
  ])('after %d minutes of silence: %d minutes after the last news', (quiet, wanted) => {
    expect(nextAsk(last, after(quiet))).toEqual(after(wanted));
  });

  test.each([
    ['at once when an offer ends that is open for less', 0.5, 0.5],
    ['as ever of one that is open for longer', 5, 1],
    ['as ever of one that ends now', 0.2, 1],
    ['as ever of one that was over before', 0.1, 1],
  ])('%s', (_, ends, wanted) => {
    expect(nextAsk(last, after(0.2), after(ends))).toEqual(after(wanted));
  });
});

test('an insufficient balance has its own message, everything else is one message', () => {
  expect(declineRefusal('insufficient_funds')).toBe('insufficientFunds');
  for (const code of ['stolen_card', 'fraudulent', 'generic_decline', undefined]) {
    expect(declineRefusal(code)).toBe('cardDeclined');
  }
});

test('what its bank would refuse again is not charged again; of that, what its owner may confirm', () => {
  const said = (code: string | undefined) => [isHardDecline(code), asksOwner(code)];
  expect(said('authentication_required')).toEqual([true, true]);
  // A card that is gone, one that is too old, a word taken back, a card that may not do this, an account that is closed.
  const forGood = ['stolen_card', 'expired_card', 'stop_payment_order', 'transaction_not_allowed'];
  for (const code of [...forGood, 'TOKEN_ID_NOT_FOUND', 'PAYER_ACCOUNT_LOCKED_OR_CLOSED'])
    expect(said(code)).toEqual([true, false]);
  expect(said('insufficient_funds')).toEqual([false, false]);
  expect(said(undefined)).toEqual([false, false]);
});
