import fc from 'fast-check';
import { expect, test } from 'vitest';
import { unreachable } from '../kernel/machine.ts';
import { type AttemptStatus, attemptTransitions, declineRefusal, followProvider } from './attempt.ts';

const statuses = Object.keys(attemptTransitions) as AttemptStatus[];

test('every state of an attempt can be reached', () => {
  expect(unreachable(attemptTransitions, 'created')).toEqual([]);
});

test('once the money has arrived no later word changes that, in whatever order the words come', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...statuses)), words => {
      const end = words.reduce(followProvider, 'succeeded' as AttemptStatus);
      expect(end).toBe('succeeded');
    }),
  );
});

test('an insufficient balance has its own message, everything else is one message', () => {
  expect(declineRefusal('insufficient_funds')).toBe('insufficientFunds');
  for (const code of ['stolen_card', 'fraudulent', 'generic_decline', undefined]) {
    expect(declineRefusal(code)).toBe('cardDeclined');
  }
});
