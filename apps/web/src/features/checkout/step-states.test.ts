import { expect, test } from 'vitest';
import { stepStates } from './step-states.ts';

const all = [true, false].flatMap(plan =>
  [true, false].flatMap(place => [true, false].map(account => ({ plan, place, account }))),
);

test('exactly one step is the current one, whatever is filled in', () => {
  for (const filled of all)
    expect(Object.values(stepStates(filled)).filter(state => state === 'current')).toHaveLength(1);
});

test('filled steps are done; then the payment is the current step', () => {
  const chosen = { plan: true, place: true };
  expect(stepStates({ ...chosen, account: false })).toEqual({
    plan: 'done',
    place: 'done',
    account: 'current',
    payment: 'next',
  });
  expect(stepStates({ ...chosen, account: true })).toMatchObject({ account: 'done', payment: 'current' });
});

test('the account comes after the plan; a place can be chosen before a plan', () => {
  expect(stepStates({ plan: false, place: true, account: true })).toEqual({
    plan: 'current',
    place: 'next',
    account: 'later',
    payment: 'later',
  });
});
