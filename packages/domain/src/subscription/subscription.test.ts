import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { unreachable } from '../testing/unreachable.ts';
import {
  allowedActions,
  type Command,
  can,
  decide,
  isOverdue,
  type Subscription,
  type SubscriptionStatus,
  servedUntil,
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
  suspended: false,
  replaced: false,
  portForward: false,
  ...change,
});

test('FC2 every state of a subscription can be reached', () => {
  expect(unreachable(subscriptionTransitions, 'provisioning')).toEqual([]);
});

test.each([
  ['provisioning', false, []],
  ['active', false, ['addKey', 'cancel', 'upgrade', 'replace', 'adjustBandwidth']],
  ['active', true, ['addKey', 'resume', 'adjustBandwidth']],
  ['pastDue', false, ['addKey', 'cancel', 'adjustBandwidth']],
  ['pastDue', true, ['addKey', 'resume', 'adjustBandwidth']],
  ['expired', false, ['reactivate']],
] as const)('%s (cancelled: %s) allows %j', (status, cancelAtPeriodEnd, actions) => {
  expect(allowedActions(subscription(status, { cancelAtPeriodEnd }), later(1))).toEqual(actions);
});

test.each([
  ['provisioning', false],
  ['active', true],
  ['pastDue', true],
  ['expired', false],
] as const)(
  'a port can be forwarded where the plan allows it, while the subscription is served: %s %s',
  (status, may) => {
    const has = (portForward: boolean) => allowedActions(subscription(status, { portForward }), later(1));
    expect(has(true).includes('forwardPort')).toBe(may);
    expect(has(false)).not.toContain('forwardPort');
    const refused = can(subscription(status), 'forwardPort', now);
    expect(refused).toEqual({ ok: false, refusal: 'forbidden' });
  },
);

test('a cancellation cannot be undone after the last day', () => {
  const cancelled = subscription('active', { cancelAtPeriodEnd: true });
  expect(allowedActions(cancelled, later(40))).not.toContain('resume');
});

test.each([
  ['provisioning', 'cancel', 'subscriptionNotActivated'],
  ['provisioning', 'reactivate', 'subscriptionNotActivated'],
  ['expired', 'addKey', 'ended'],
  ['expired', 'resume', 'ended'],
  ['expired', 'withdraw', 'ended'],
  ['active', 'resume', 'notNow'],
  ['pastDue', 'replace', 'notNow'],
  ['pastDue', 'reactivate', 'subscriptionNotExpired'],
  ['active', 'reactivate', 'subscriptionNotExpired'],
] as const)('%s refuses to %s as %s', (status, command, refusal) => {
  expect(can(subscription(status), command, now)).toEqual({ ok: false, refusal });
});

test('a suspended subscription keeps its state and period until it is restored or ends', () => {
  const active = subscription('active');
  const suspended = decide(active, 'suspend', now);
  expect(suspended).toEqual({
    ok: true,
    next: { ...active, suspended: true },
    effects: [{ effect: 'updateHost' }],
  });
  if (!suspended.ok) throw new Error(suspended.refusal);
  expect(decide(suspended.next, 'suspend', now)).toEqual({ ok: true, next: suspended.next, effects: [] });
  expect(decide(suspended.next, 'restore', now)).toEqual({
    ok: true,
    next: active,
    effects: [{ effect: 'updateHost' }],
  });
  expect(decide(suspended.next, 'expire', now)).toMatchObject({
    next: { status: 'expired', suspended: false },
  });
  expect(decide(subscription('expired'), 'suspend', now)).toMatchObject({ next: { suspended: false } });
});

describe('a period', () => {
  test('begins with the tunnel and is granted once, however often the host reports it', () => {
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

test('an expired subscription keeps its address for a while, one whose account ended gives it up', () => {
  const effects = (command: Command) => {
    const decision = decide(subscription('active'), command, now);
    return decision.ok && decision.effects;
  };
  expect(effects('expire')).toEqual([{ effect: 'leaveHost', address: 'reserved' }]);
  expect(effects('end')).toEqual([{ effect: 'leaveHost', address: 'released' }]);
});

test.each(['expire', 'withdraw', 'retire', 'end'] as const)(
  'a subscription that is over is not suspended any more, so that it runs after a re-activation: %s',
  command => {
    const decision = decide(subscription('active', { suspended: true }), command, later(1));
    expect(decision).toMatchObject({ next: { status: 'expired', suspended: false } });
  },
);

test.each([
  ['eight days beyond its paid period, while a renewal may be retried', later(30), false, later(38)],
  ['until its paid period is over where it does not renew', later(30), true, later(30)],
  ['until they are told otherwise where it has no period yet', null, false, null],
] as const)('K15 hosts without contact to the shop serve it %s', (_, end, cancelled, until) => {
  expect(servedUntil({ end, cancelled })).toEqual(until);
});

test.each([
  ['on its last day', false, 'active', {}, 29.9],
  ['when that is over and the next is past due', true, 'active', {}, 30],
  ['while its renewal is retried', true, 'pastDue', {}, 33],
  ['when it has ended', false, 'expired', {}, 33],
  ['before its first period', false, 'active', { period: null }, 33],
] as const)('it is served beyond its paid period %s: %s', (_, overdue, status, change, day) => {
  expect(isOverdue(subscription(status, change), later(day))).toBe(overdue);
});

test('a withdrawal ends service: the period ends now, and one that never began lasts a moment', () => {
  const active = decide(subscription('active', { cancelAtPeriodEnd: true }), 'withdraw', later(3));
  expect(active).toMatchObject({
    next: { status: 'expired', period: { start: now, end: later(3) } },
    effects: [{ effect: 'cutPeriods' }, { effect: 'leaveHost', address: 'reserved' }],
  });
  const ahead = subscription('active', { period: { start: later(30), end: later(60) } });
  expect(decide(ahead, 'withdraw', later(3))).toMatchObject({
    next: { period: { start: later(3), end: later(3) } },
  });
  const waiting = decide(subscription('provisioning'), 'withdraw', later(3));
  const moment = { start: later(3), end: new Date(later(3).getTime() + 1) };
  expect(waiting).toMatchObject({
    next: { status: 'expired', period: moment },
    effects: [
      { effect: 'grantPeriod', period: moment },
      { effect: 'leaveHost', address: 'reserved' },
    ],
  });
  expect(decide(subscription('expired'), 'withdraw', now)).toMatchObject({ ok: false });
});

test('a replaced subscription serves until its replacement runs, and cannot be resumed', () => {
  const replaced = decide(subscription('active'), 'replace', later(3));
  expect(replaced).toEqual({
    ok: true,
    next: subscription('active', { cancelAtPeriodEnd: true, replaced: true }),
    effects: [],
  });
  if (!replaced.ok) throw new Error(replaced.refusal);
  expect(allowedActions(replaced.next, later(3))).toEqual(['addKey', 'adjustBandwidth']);
  expect(decide(replaced.next, 'withdraw', later(3)).ok).toBe(false);
  const retired = decide(replaced.next, 'retire', later(4));
  expect(retired).toMatchObject({
    next: { status: 'expired', period: { start: now, end: later(4) } },
    effects: [{ effect: 'cutPeriods' }, { effect: 'leaveHost', address: 'reserved' }],
  });
  // Paid ahead: its period has not begun.
  const ahead = { start: later(4.5), end: later(30) };
  expect(decide({ ...replaced.next, period: ahead }, 'retire', later(4))).toMatchObject({
    next: { period: { start: later(4), end: later(4) } },
  });
  if (!retired.ok) throw new Error(retired.refusal);
  expect(decide(retired.next, 'retire', later(5))).toMatchObject({ next: retired.next, effects: [] });
  expect(decide(retired.next, 'reactivate', later(5))).toMatchObject({ next: { replaced: false } });
  for (const change of [{ cancelAtPeriodEnd: true }, { suspended: true }])
    for (const command of ['replace', 'upgrade'] as const)
      expect(can(subscription('active', change), command, now).ok).toBe(false);
});

describe('what a command leaves behind', () => {
  const after = (s: Subscription, command: Command, at = later(1)) => {
    const decision = decide(s, command, at);
    if (!decision.ok) throw new Error(decision.refusal);
    return decision;
  };

  test('cancelling and resuming change only the renewal', () => {
    const active = subscription('active');
    const cancelled = after(active, 'cancel');
    expect(cancelled).toEqual({ ok: true, next: { ...active, cancelAtPeriodEnd: true }, effects: [] });
    expect(after(cancelled.next, 'resume')).toEqual({ ok: true, next: active, effects: [] });
    expect(decide(active, 'resume', later(1)).ok).toBe(false);
    expect(decide(cancelled.next, 'cancel', later(1)).ok).toBe(false);
  });

  test('the end of a period is not part of it', () => {
    const cancelled = subscription('active', { cancelAtPeriodEnd: true });
    const end = cancelled.period!.end;
    expect(decide(cancelled, 'resume', new Date(end.getTime() - 1)).ok).toBe(true);
    expect(decide(cancelled, 'resume', end).ok).toBe(false);
    expect(decide({ ...cancelled, period: null }, 'resume', now).ok).toBe(false);
  });

  test('a re-activated subscription looks for a host, renews again, and begins a new period', () => {
    const expired = subscription('expired', { cancelAtPeriodEnd: true });
    const back = after(expired, 'reactivate', later(40));
    expect(back.effects).toEqual([{ effect: 'findHost' }]);
    expect(back.next).toEqual({
      ...expired,
      status: 'provisioning',
      cancelAtPeriodEnd: false,
      period: null,
    });
    const running = after(back.next, 'activate', later(41)).next;
    expect([running.startedAt, running.anchorAt, running.period!.start]).toEqual([now, later(41), later(41)]);
  });

  test('a missed renewal makes it past due, and a paid one makes it active again', () => {
    const pastDue = after(subscription('active'), 'miss').next;
    expect(pastDue).toEqual(subscription('pastDue'));
    expect(after(pastDue, 'miss')).toEqual({ ok: true, next: pastDue, effects: [] });
    const { next: renewed, effects } = after(pastDue, 'renew');
    expect([renewed.status, renewed.period!.start]).toEqual(['active', pastDue.period!.end]);
    expect(effects).toEqual([{ effect: 'grantPeriod', period: renewed.period }]);
    expect(decide(subscription('provisioning'), 'renew', now)).toEqual({
      ok: false,
      refusal: 'subscriptionNotActivated',
    });
    expect(decide(subscription('active', { anchorAt: null }), 'renew', now).ok).toBe(false);
    expect(decide(subscription('active', { period: null }), 'renew', now).ok).toBe(false);
  });

  test('expiring again does nothing; an account that ends gives up the address that was still reserved', () => {
    const expired = after(subscription('active'), 'expire').next;
    expect(expired).toEqual(subscription('expired'));
    expect(after(expired, 'expire')).toEqual({ ok: true, next: expired, effects: [] });
    expect(after(expired, 'end')).toEqual({
      ok: true,
      next: expired,
      effects: [{ effect: 'leaveHost', address: 'released' }],
    });
    expect(after(subscription('provisioning'), 'end').next.status).toBe('expired');
  });

  test('FC2 asking what is allowed changes nothing', () => {
    for (const action of ['addKey', 'upgrade', 'adjustBandwidth', 'cancel', 'replace'] as const) {
      const active = Object.freeze(subscription('active'));
      expect(can(active, action, now)).toEqual({ ok: true });
    }
    expect(can(subscription('pastDue'), 'upgrade', now)).toEqual({
      ok: false,
      refusal: 'notNow',
    });
  });
});

test('in any order of commands, periods follow each other with no gap but one of an outage, and only paid subscriptions are active', () => {
  const commands: Command[] = [
    ...(['cancel', 'resume', 'reactivate', 'replace'] as const),
    ...(['activate', 'renew', 'miss', 'expire', 'withdraw', 'end'] as const),
  ];
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
            expect(s.status).toBe(command === 'withdraw' ? 'expired' : 'active');
            if (before.period && before.status !== 'provisioning') {
              // Hosts serve for eight days after the end.
              const { end } = before.period;
              const isServed = later(day).getTime() < end.getTime() + 8 * DAY_MS;
              expect(effect.period.start).toEqual(isServed ? end : later(day));
            }
          }
        }
      },
    ),
  );
});
