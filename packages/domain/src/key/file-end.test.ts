import { describe, expect, test } from 'vitest';
import type { Subscription } from '../subscription/subscription.ts';
import { type DeviceFile, endsWith, goesOn, lookAtFiles } from './file-end.ts';

const DAY_MS = 24 * 60 * 60_000;
const now = new Date('2027-11-22T05:00:00Z');
const inDays = (days: number) => new Date(now.getTime() + days * DAY_MS);
const running: Subscription = {
  status: 'active',
  startedAt: inDays(-400),
  anchorAt: inDays(-400),
  cycleCount: 1,
  period: { start: inDays(-10), end: inDays(20) },
  cancelAtPeriodEnd: false,
  suspended: false,
  replaced: false,
  portForward: false,
};
const file = (id: string, days: number, tellAt: Date | null = inDays(days - 30)): DeviceFile => ({
  id,
  until: inDays(days),
  tellAt,
});

describe('K6 a device’s file that ends soon', () => {
  test('is told of with those that end in the same week, and each once', () => {
    const files = [file('later', 40), file('phone', 30), file('tablet', 36.9), file('told', 33, null)];
    expect(lookAtFiles(running, files, now)).toEqual({
      tell: inDays(30),
      looks: [
        { id: 'phone', tellAt: null },
        { id: 'tablet', tellAt: null },
      ],
    });
  });

  test('is told of in an email of its own where another one ends weeks before', () => {
    const [soon, later] = [file('soon', 3), file('later', 20)];
    const first = lookAtFiles(running, [later, soon], now);
    expect(first).toEqual({ tell: inDays(3), looks: [{ id: 'soon', tellAt: null }] });
    const next = lookAtFiles(running, [later, { ...soon, tellAt: null }], now);
    expect(next).toEqual({ tell: inDays(20), looks: [{ id: 'later', tellAt: null }] });
  });

  test.each([
    ['its renewal is off and it is paid until before', { cancelAtPeriodEnd: true }],
    ['its payment is owed', { status: 'pastDue' }],
    ['it has ended', { status: 'expired' }],
    ['it waits for a host', { status: 'provisioning' }],
    ['it is suspended', { suspended: true }],
  ] as const)('is looked at tomorrow again where %s', (_, change) => {
    const looks = [{ id: 'phone', tellAt: inDays(1) }];
    expect(lookAtFiles({ ...running, ...change }, [file('phone', 30)], now)).toEqual({ looks });
  });

  test('is told of where the renewal is off but paid beyond it, and not where another one takes its place', () => {
    const off = { ...running, cancelAtPeriodEnd: true, period: { start: inDays(-10), end: inDays(300) } };
    expect(lookAtFiles(off, [file('phone', 30)], now).tell).toEqual(inDays(30));
    expect(goesOn({ ...off, replaced: true }, inDays(30))).toBe(false);
    expect([299.9, 300].map(days => goesOn(off, inDays(days)))).toEqual([true, false]);
    expect(goesOn({ ...off, period: null }, inDays(30))).toBe(false);
  });

  test('is not told of when it has ended, nor before it is due', () => {
    expect(lookAtFiles(running, [file('phone', 0)], now)).toEqual({ looks: [{ id: 'phone', tellAt: null }] });
    expect(lookAtFiles(running, [file('phone', 30.1)], now)).toEqual({ looks: [] });
    expect(lookAtFiles({ ...running, suspended: true }, [file('phone', 30.1)], now)).toEqual({ looks: [] });
  });

  test.each([
    ['that ended before it', false, 2.9],
    ['that ends at the same moment', true, 3],
    ['that ends within a week of it', true, 9.9],
    ['that ends a week later', false, 10],
  ])('is told of together with one %s: %s', (_, together, days) => {
    expect(endsWith(inDays(3), inDays(days))).toBe(together);
  });
});
