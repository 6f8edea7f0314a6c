import type { DesiredSet, DesiredSubscription } from '@fixpoint/contract/agent.ts';
import { expect, test } from 'vitest';
import { effective, emptied, isLeaseExpired, withChanges } from './effective-set.ts';

const now = new Date('2026-11-22T09:00:00Z');
const after = (seconds: number) => new Date(now.getTime() + seconds * 1000);
const subscription = (id: string, slot: number, endsAt?: Date) =>
  ({ id, slot, ...(endsAt && { endsAt: endsAt.toISOString() }) }) as DesiredSubscription;
const set = (...subscriptions: DesiredSubscription[]): DesiredSet => ({
  hostId: 'h_1',
  revision: 5,
  dns: ['9.9.9.9'],
  leaseSeconds: 60,
  moved: [],
  subscriptions,
});
const ids = ({ subscriptions }: Pick<DesiredSet, 'subscriptions'>) => subscriptions.map(({ id }) => id);

test('FV21 changes of a set give the next one, and only of that set', () => {
  const changes = {
    ...set(subscription('s_two', 4), subscription('s_new', 1)),
    revision: 8,
    gone: ['s_one'],
  };
  const before = set(subscription('s_one', 1), subscription('s_two', 2), subscription('s_three', 3));
  const next = withChanges(before, { ...changes, base: 5, dns: ['1.1.1.1'] });
  expect(ids(next)).toEqual(['s_new', 's_three', 's_two']);
  expect(next).toMatchObject({ revision: 8, dns: ['1.1.1.1'] });
  expect(next).not.toHaveProperty('base');
  expect(next).not.toHaveProperty('gone');
  expect(() => withChanges(before, { ...changes, base: 4 })).toThrow('based on revision 4, not on 5');
  expect(() => withChanges(undefined, { ...changes, base: 5 })).toThrow('not on undefined');
});

test('K15 an unpaid subscription is not in effect', () => {
  const some = set(
    subscription('s_open', 1),
    subscription('s_paid', 2, after(1)),
    subscription('s_over', 3, now),
  );
  expect(ids(effective(some, now))).toEqual(['s_open', 's_paid']);
  expect(ids(effective(some, after(1)))).toEqual(['s_open']);
});

test('FV6 the lease of a set expires when the shop has not heard of its host', () => {
  expect(isLeaseExpired(set(), 59_999)).toBe(false);
  expect(isLeaseExpired(set(), 60_000)).toBe(true);
  // Clients are not told to stop: another host may serve them.
  expect(emptied(set(subscription('s_one', 1)))).toMatchObject({ subscriptions: [], moved: ['s_one'] });
});
