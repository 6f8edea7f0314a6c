import { expect, test } from 'vitest';
import { unreachable } from '../kernel/machine.ts';
import { allowedActions, subscriptionTransitions } from './subscription.ts';

test('every state of a subscription can be reached', () => {
  expect(unreachable(subscriptionTransitions, 'provisioning')).toEqual([]);
});

test.each([
  ['provisioning', false, []],
  ['active', false, ['addKey', 'cancel', 'upgrade', 'adjustBandwidth']],
  ['active', true, ['addKey', 'resume', 'adjustBandwidth']],
  ['pastDue', false, ['addKey', 'cancel', 'adjustBandwidth']],
  ['expired', false, ['reactivate']],
] as const)('%s (cancelled: %s) allows %j', (status, cancelAtPeriodEnd, actions) => {
  expect(allowedActions({ status, cancelAtPeriodEnd })).toEqual(actions);
});
