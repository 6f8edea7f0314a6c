import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { unreachable } from '../testing/unreachable.ts';
import {
  allowedActions,
  type Command,
  customerCommands,
  decide,
  type Subscription,
  type SubscriptionStatus,
  subscriptionTransitions,
} from './subscription.ts';

const DAY_MS = 24 * 60 * 60_000;
const now = new Date('2026-11-20T05:00:00Z');
const later = (days: number) => new Date(now.getTime() + days * DAY_MS);
const subscription = (status: SubscriptionStatus, change: Partial<Subscription> = {}): Subscription => ({
  status,
  startedAt: status === 'provisioning' ? null : now,
  anchorAt: status === 'provisioning' ? null : now,
  period: status === 'provisioning' ? null : { start: now, end: new Date('2026-12-20T05:00:00Z') },
  cycleCount: 1,
  cancelAtPeriodEnd: false,
  ...change,
});

test('every state of a subscription can be reached', () => {
  expect(unreachable(subscriptionTransitions, 'provisioning')).toEqual([]);
});

test.each([
  ['provisioning', false, []],
  ['active', false, ['addKey', 'cancel', 'upgrade', 'adjustBandwidth']],
  ['active', true, ['addKey', 'resume', 'adjustBandwidth']],
  ['pastDue', false, ['addKey', 'cancel', 'adjustBandwidth']],
  ['pastDue', true, ['addKey', 'adjustBandwidth']],
  ['expired', false, ['reactivate']],
] as const)('%s (cancelled: %s) allows %j', (status, cancelAtPeriodEnd, actions) => {
  expect(allowedActions(subscription(status, { cancelAtPeriodEnd }), later(1))).toEqual(actions);
});

test('a cancellation cannot be undone after the last day', () => {
  const cancelled = subscription('active', { cancelAtPeriodEnd: true });
  expect(allowedActions(cancelled, later(40))).not.toContain('resume');
});

test.each([
  ['provisioning', 'cancel', 'subscriptionNotActivated'],
  ['expired', 'addKey', 'subscriptionNotActivated'],
  ['active', 'reactivate', 'subscriptionNotExpired'],
] as const)('%s refuses to %s as %s', (status, command, refusal) => {
  expect(decide(subscription(status), command, now)).toEqual({ ok: false, refusal });
});

describe('a period', () => {
  test('begins with the tunnel and is granted once, however often the host says so', () => {
    const first = decide(subscription('provisioning'), 'activate', now);
    if (!first.ok) throw new Error(first.refusal);
    const period = { start: now, end: new Date('2026-12-20T05:00:00Z') };
    expect(first.effects).toEqual([{ effect: 'grantPeriod', period }]);
    expect(first.next).toMatchObject({ status: 'active', startedAt: now, anchorAt: now, period });
    expect(decide(first.next, 'activate', later(1))).toEqual({ ok: true, next: first.next, effects: [] });
  });

  test('keeps the day of the first one through short months', () => {
    let s = subscription('provisioning');
    const ends: string[] = [];
    for (const command of ['activate', 'renew', 'renew', 'renew'] as const) {
      const decision = decide(s, command, new Date('2027-01-31T03:30:00Z'));
      if (!decision.ok) throw new Error(decision.refusal);
      s = decision.next;
      ends.push(s.period!.end.toISOString());
    }
    expect(ends).toEqual([
      '2027-02-28T03:30:00.000Z',
      '2027-03-31T03:30:00.000Z',
      '2027-04-30T03:30:00.000Z',
      '2027-05-31T03:30:00.000Z',
    ]);
  });
});

test('an expired one keeps its address for a while, one whose account ended gives it up', () => {
  const effects = (command: Command) => {
    const decision = decide(subscription('active'), command, now);
    return decision.ok && decision.effects;
  };
  expect(effects('expire')).toEqual([{ effect: 'leaveHost', address: 'held' }]);
  expect(effects('end')).toEqual([{ effect: 'leaveHost', address: 'givenUp' }]);
});

test('whatever happens in whatever order, periods follow each other without a gap and only an active one has been paid', () => {
  const commands: Command[] = [...customerCommands, 'activate', 'renew', 'miss', 'expire', 'end'];
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.constantFrom(...commands), fc.integer({ min: 0, max: 60 })), { maxLength: 40 }),
      fc.constantFrom(1, 3, 6, 12),
      (steps, cycleCount) => {
        let s = subscription('provisioning', { cycleCount });
        let day = 0;
        for (const [command, days] of steps) {
          day += days;
          const before = s;
          const decision = decide(s, command, later(day));
          if (!decision.ok) continue;
          s = decision.next;
          if (before.status !== s.status) {
            expect(subscriptionTransitions[before.status]).toContain(s.status);
          }
          for (const effect of decision.effects) {
            if (effect.effect !== 'grantPeriod') continue;
            expect(effect.period).toEqual(s.period);
            expect(effect.period.end > effect.period.start).toBe(true);
            expect(s.status).toBe('active');
            if (before.period && before.status !== 'provisioning') {
              expect(effect.period.start).toEqual(before.period.end);
            }
          }
        }
      },
    ),
  );
});
