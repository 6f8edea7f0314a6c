import { describe, expect, test } from 'vitest';
import type { Subscription } from '../subscription/subscription.ts';
import { checkFileExpiry, type DeviceFile, expiresWith, keepsServing } from './file-end.ts';

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
const file = (id: string, days: number, notifyAt: Date | null = inDays(days - 30)): DeviceFile => ({
  id,
  until: inDays(days),
  notifyAt,
});

describe('K6 a device file that expires soon', () => {
  test('is reported together with those that expire in the same week, and each once', () => {
    const files = [file('later', 40), file('phone', 30), file('tablet', 36.9), file('told', 33, null)];
    expect(checkFileExpiry(running, files, now)).toEqual({
      notify: inDays(30),
      checks: [
        { id: 'phone', notifyAt: null },
        { id: 'tablet', notifyAt: null },
      ],
    });
  });

  test('is reported in an email of its own when another one expires weeks before', () => {
    const [soon, later] = [file('soon', 3), file('later', 20)];
    const first = checkFileExpiry(running, [later, soon], now);
    expect(first).toEqual({ notify: inDays(3), checks: [{ id: 'soon', notifyAt: null }] });
    const next = checkFileExpiry(running, [later, { ...soon, notifyAt: null }], now);
    expect(next).toEqual({ notify: inDays(20), checks: [{ id: 'later', notifyAt: null }] });
  });

  test.each([
    ['its renewal is off and its period ends earlier', { cancelAtPeriodEnd: true }],
    ['its payment is past due', { status: 'pastDue' }],
    ['it has ended', { status: 'expired' }],
    ['it waits for a host', { status: 'provisioning' }],
    ['it is suspended', { suspended: true }],
  ] as const)('is checked again tomorrow where %s', (_, change) => {
    const checks = [{ id: 'phone', notifyAt: inDays(1) }];
    expect(checkFileExpiry({ ...running, ...change }, [file('phone', 30)], now)).toEqual({ checks });
  });

  test('is reported where the renewal is off but the period ends later, and not where the subscription is being replaced', () => {
    const off = { ...running, cancelAtPeriodEnd: true, period: { start: inDays(-10), end: inDays(300) } };
    expect(checkFileExpiry(off, [file('phone', 30)], now).notify).toEqual(inDays(30));
    expect(keepsServing({ ...off, replaced: true }, inDays(30))).toBe(false);
    expect([299.9, 300].map(days => keepsServing(off, inDays(days)))).toEqual([true, false]);
    expect(keepsServing({ ...off, period: null }, inDays(30))).toBe(false);
  });

  test('is reported neither after it has expired nor before the notice is due', () => {
    expect(checkFileExpiry(running, [file('phone', 0)], now)).toEqual({
      checks: [{ id: 'phone', notifyAt: null }],
    });
    expect(checkFileExpiry(running, [file('phone', 30.1)], now)).toEqual({ checks: [] });
    expect(checkFileExpiry({ ...running, suspended: true }, [file('phone', 30.1)], now)).toEqual({
      checks: [],
    });
  });

  test.each([
    ['that expired before it', false, 2.9],
    ['that expires at the same moment', true, 3],
    ['that expires within a week of it', true, 9.9],
    ['that expires a week later', false, 10],
  ])('is reported together with one %s: %s', (_, together, days) => {
    expect(expiresWith(inDays(3), inDays(days))).toBe(together);
  });
});
