import { expect, test } from 'vitest';
import { stepsOf } from './steps-of.ts';

const at = { id: 'sub_1', address: '203.0.113.7' };
const shown = (...of: Parameters<typeof stepsOf>) => stepsOf(...of).map(({ id, state }) => `${id} ${state}`);

test('a host that looks whether what it brought up works is seen doing so', () => {
  expect(shown({ status: 'fulfilled', subscription: { ...at, status: 'provisioning' } })).toEqual([
    'paid done',
    'host done',
    'ip done',
    'tested running',
    'ready waiting',
  ]);
});

test('a connection is said to be tested when a test succeeded, and only then', () => {
  const begun = { ...at, status: 'active' as const };
  const said = (tested?: boolean) =>
    shown({ status: 'fulfilled', subscription: { ...begun, ...(tested !== undefined && { tested }) } });
  expect(said(true)).toContain('tested done');
  for (const each of [said(false), said()])
    expect(each).toEqual(['paid done', 'host done', 'ip done', 'ready done']);
});
