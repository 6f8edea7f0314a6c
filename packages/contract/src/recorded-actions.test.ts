import { expect, test } from 'vitest';
import { calls } from './calls.ts';
import type { Endpoint } from './endpoint.ts';
import { recordedActions } from './recorded-actions.ts';

test('the calls that are written down for owners are those that the list has words for, and each is a user’s', () => {
  const all = Object.values(calls).flatMap(group => Object.entries<Endpoint>(group));
  const recorded = all.filter(([, { records }]) => records);
  expect([...recorded.map(([name]) => name), 'upgrade'].sort()).toEqual([...recordedActions].sort());
  for (const [name, { auth }] of recorded) expect(auth, name).toBe('customer');
});
