import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { unreachable } from '../testing/unreachable.ts';
import {
  type AttemptStatus,
  attemptTransitions,
  declineRefusal,
  followProvider,
  isHardDecline,
  mayBeCaptured,
  needsAuthentication,
  nextPoll,
  openAttempt,
  payableAttempt,
  type ReportedState,
} from './attempt.ts';

const statuses = Object.keys(attemptTransitions) as AttemptStatus[];
const reported: ReportedState[] = [...statuses.filter(status => status !== 'created'), 'approved'];

test('every state of an attempt can be reached', () => {
  expect(unreachable(attemptTransitions, 'created')).toEqual([]);
});

test('FM1 no later report changes a success, in whatever order reports arrive', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...reported)), words => {
      expect(words.reduce<AttemptStatus>(followProvider, 'succeeded')).toBe('succeeded');
    }),
  );
});

test.each(statuses)('FM1 success wins from %s', status => {
  expect(followProvider(status, 'succeeded')).toBe('succeeded');
});

test('a closed attempt leaves its state only for a payment; until then it could take money', () => {
  for (const word of reported) {
    if (word !== 'succeeded') expect(followProvider('closed', word)).toBe('closed');
  }
  expect(payableAttempt).toEqual(statuses.filter(status => status !== 'closed' && status !== 'succeeded'));
  expect(openAttempt).not.toContain('failed');
});

test('an approved payment is captured while it can be paid, and not after it was declined', () => {
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
  '%s and %d seconds after the last report, its money may be being captured: %s',
  (status, seconds, may) => {
    const last = new Date('2026-11-20T05:00:00Z');
    expect(mayBeCaptured(status, last, new Date(last.getTime() + seconds * 1000))).toBe(may);
  },
);

describe('polling', () => {
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
  ])('after %d minutes of silence happens %d minutes after the last report', (quiet, wanted) => {
    expect(nextPoll(last, after(quiet))).toEqual(after(wanted));
  });

  test.each([
    ['happens when the offer ends, if that is earlier', 0.5, 0.5],
    ['keeps its interval when the offer ends later', 5, 1],
    ['keeps its interval when the offer ends now', 0.2, 1],
    ['keeps its interval when the offer has ended before', 0.1, 1],
  ])('%s', (_, ends, wanted) => {
    expect(nextPoll(last, after(0.2), { ends: after(ends), isSilent: false })).toEqual(after(wanted));
  });

  test.each([
    ['happens every minute while the provider sends no event', 20, 60, 21],
    ['happens when such an offer ends', 59.5, 60, 60],
    ['keeps its interval after that', 60, 60, 24 * 60],
  ])('%s', (_, quiet, ends, wanted) => {
    expect(nextPoll(last, after(quiet), { ends: after(ends), isSilent: true })).toEqual(after(wanted));
  });
});

test('insufficient funds have their own message, every other decline shares one', () => {
  expect(declineRefusal('insufficient_funds')).toBe('insufficientFunds');
  for (const code of ['stolen_card', 'fraudulent', 'generic_decline', undefined]) {
    expect(declineRefusal(code)).toBe('cardDeclined');
  }
});

test('a hard decline is not charged again; some of them only need the owner’s confirmation', () => {
  const said = (code: string | undefined) => [isHardDecline(code), needsAuthentication(code)];
  expect(said('authentication_required')).toEqual([true, true]);
  // Lost or expired card, revoked authorization, unsupported card, closed account.
  const forGood = ['stolen_card', 'expired_card', 'stop_payment_order', 'transaction_not_allowed'];
  for (const code of [...forGood, 'TOKEN_ID_NOT_FOUND', 'PAYER_ACCOUNT_LOCKED_OR_CLOSED'])
    expect(said(code)).toEqual([true, false]);
  expect(said('insufficient_funds')).toEqual([false, false]);
  expect(said(undefined)).toEqual([false, false]);
});
