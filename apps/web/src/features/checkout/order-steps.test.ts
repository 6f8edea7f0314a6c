import { expect, test } from 'vitest';
import { hasBegun, isOver, orderSteps, waitsForHost } from './order-steps.ts';

const at = { id: 'sub_1', address: '203.0.113.7' };
const shown = (...of: Parameters<typeof orderSteps>) =>
  orderSteps(...of).map(({ id, state }) => `${id} ${state}`);

test('a host that checks a new subscription is shown doing so', () => {
  expect(shown({ status: 'fulfilled', subscription: { ...at, status: 'provisioning' } })).toEqual([
    'paid done',
    'host done',
    'ip done',
    'tested running',
    'ready waiting',
  ]);
});

test('a connection is shown as tested only after a successful test', () => {
  const begun = { ...at, status: 'active' as const };
  const shownFor = (tested?: boolean) =>
    shown({ status: 'fulfilled', subscription: { ...begun, ...(tested !== undefined && { tested }) } });
  expect(shownFor(true)).toContain('tested done');
  for (const each of [shownFor(false), shownFor()])
    expect(each).toEqual(['paid done', 'host done', 'ip done', 'ready done']);
});

test('U32 an order that is opened later was set up, whatever its subscription is now', () => {
  for (const status of ['pastDue', 'expired'] as const)
    expect(shown({ status: 'fulfilled', subscription: { ...at, status } })).toEqual([
      'paid done',
      'host done',
      'ip done',
      'ready done',
    ]);
});

test('a renewal begins with its delivery, not because it ran before', () => {
  const order = { status: 'paid', subscription: { ...at, status: 'expired' } } as const;
  expect(hasBegun(order)).toBe(false);
  expect(isOver(order)).toBe(false);
  expect(shown(order)).toContain('ready waiting');
});

test('U32 nothing is on its way if the payment became credit or the subscription has ended', () => {
  expect(isOver({ status: 'refunded', subscription: { ...at, status: 'active' } })).toBe(true);
  expect(isOver({ status: 'fulfilled', subscription: { ...at, status: 'expired' } })).toBe(true);
  for (const status of ['provisioning', 'active', 'pastDue'] as const)
    expect(isOver({ status: 'fulfilled', subscription: { ...at, status } })).toBe(false);
});

test('FO12 a delivered order without an address waits for a host; one with an address does not', () => {
  const id = 'sub_1';
  expect(waitsForHost({ subscription: { id, status: 'provisioning' } })).toBe(true);
  expect(waitsForHost({ subscription: undefined })).toBe(false);
  expect(waitsForHost({ subscription: { id, status: 'provisioning', address: '203.0.113.7' } })).toBe(false);
  expect(waitsForHost({ subscription: { id, status: 'active', address: '203.0.113.7' } })).toBe(false);
});
