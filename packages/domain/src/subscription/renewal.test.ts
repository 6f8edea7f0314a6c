import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  chargeAt,
  dueStep,
  isPaymentOver,
  nextCheck,
  nextRenewalStep,
  nextTryAt,
  payableUntil,
  type Renewal,
  recheckAt,
  remindersDue,
  triesDue,
} from './renewal.ts';

const DAY_MS = 24 * 60 * 60_000;
const END = new Date('2027-11-22T03:30:00Z');
const days = (n: number) => new Date(END.getTime() + n * DAY_MS);
const renewal = (change: Partial<Renewal> = {}): Renewal => ({
  period: { start: new Date('2027-10-22T03:30:00Z'), end: END },
  cycleCount: 1,
  ends: false,
  collectionMethod: 'chargeAutomatically',
  reminders: 0,
  remindedAt: null,
  openedAt: null,
  tries: 0,
  ...change,
});

/**
 * All steps of a renewal that nobody pays, with a worker that is always awake: days before (-) and
 * after the end.
 */
function life(start: Renewal): [string, number][] {
  const steps: [string, number][] = [];
  for (let now = start; ; ) {
    const { step, at } = nextRenewalStep(now);
    steps.push([step, (at.getTime() - END.getTime()) / DAY_MS]);
    if (step === 'expire' || step === 'end') return steps;
    if (step === 'remind') now = { ...now, reminders: now.reminders + 1 };
    else if (step === 'open') now = { ...now, openedAt: at };
    else now = { ...now, tries: now.tries + 1 };
  }
}

const CHARGED = [
  ['open', -1],
  ['charge', -1],
  ['charge', 0],
  ['charge', 2],
  ['charge', 4],
  ['charge', 6],
  // The last charge is still awaiting its answer.
  ['expire', 6 + 1 / 24],
];

describe('a renewal that is never paid', () => {
  test.each([
    [1, [['remind', -3], ...CHARGED]],
    [3, [['remind', -7], ...CHARGED]],
    [6, [['remind', -7], ...CHARGED]],
    [12, [['remind', -30], ['remind', -7], ...CHARGED]],
  ])('of %i months by a saved method', (cycleCount, steps) => {
    expect(life(renewal({ cycleCount }))).toEqual(steps);
  });

  test.each([
    [1, []],
    [12, [['remind', -30]]],
  ])('of %i months that the customer pays themselves', (cycleCount, reminders) => {
    expect(life(renewal({ cycleCount, collectionMethod: 'sendInvoice' }))).toEqual([
      ...reminders,
      ['open', -7],
      ['ask', -1],
      ['ask', 0],
      ['ask', 2],
      ['ask', 4],
      ['expire', 6],
    ]);
  });

  test('that was cancelled ends with its period, and no payment is requested', () => {
    const ends = [
      ['remind', -7],
      ['end', 0],
    ];
    expect(life(renewal({ ends: true }))).toEqual(ends);
    expect(life(renewal({ ends: true, openedAt: days(-1), tries: 2 }))).toEqual(ends);
    expect(life(renewal({ ends: true, cycleCount: 12, reminders: 1 }))).toEqual([['end', 0]]);
  });
});

test('a worker that wakes up late sends one reminder and leaves the full time to pay', () => {
  const yearly = renewal({ cycleCount: 12 });
  expect(remindersDue(yearly, days(-31))).toBe(0);
  expect(remindersDue(yearly, days(-30))).toBe(1);
  expect(remindersDue(yearly, days(-6))).toBe(2);
  expect(remindersDue({ ...yearly, ends: true }, days(-8))).toBe(0);
  expect(remindersDue({ ...yearly, ends: true }, days(-6))).toBe(1);
  const late = renewal({ openedAt: days(10) });
  expect(nextRenewalStep(late)).toEqual({ step: 'charge', at: days(10) });
  expect(nextRenewalStep({ ...late, tries: 4 })).toEqual({ step: 'charge', at: days(17) });
  expect(payableUntil(days(10), late.period)).toEqual(days(17));
  expect(payableUntil(days(-7), late.period)).toEqual(days(6));
  // The last charge has an hour for its answer.
  const over = (ms: number) =>
    isPaymentOver(days(-7), late.period, new Date(days(6).getTime() + 60 * 60_000 + ms));
  expect([over(-1), over(0)]).toEqual([false, true]);
});

test('a declined renewal is retried on the announced days, at most five times', () => {
  const { period } = renewal();
  const tries = [0, 1, 2, 3, 4, 5, 6].map(made => nextTryAt(days(-1), period, made));
  expect(tries).toEqual([...[-1, 0, 2, 4, 6].map(days), undefined, undefined]);
});

test('the next check covers both collection methods, because a saved method may come or go', () => {
  expect(nextCheck(renewal())).toEqual(days(-7));
  expect(nextCheck(renewal({ cycleCount: 12, reminders: 2 }))).toEqual(days(-7));
  expect(nextCheck(renewal({ ends: true }))).toEqual(days(-7));
  expect(nextCheck(renewal({ ends: true, reminders: 1 }))).toEqual(END);
});

test('B16 a payment sent until the last day is awaited for another day, checked every hour', () => {
  const later = (hours: number) => new Date(END.getTime() + hours * 60 * 60_000);
  expect([0, 1, 23.5].map(hours => recheckAt(END, later(hours)))).toEqual([later(1), later(2), later(24)]);
  expect([24, 30].map(hours => recheckAt(END, later(hours)))).toEqual([undefined, undefined]);
});

describe('MO12 a worker that was away', () => {
  const told = renewal({ reminders: 1, remindedAt: days(-3) });
  test('reminds again before a charge that was announced for another day, and charges a day later', () => {
    expect(dueStep(told, days(-2))).toEqual({ step: 'open', at: days(-1) });
    expect(dueStep(told, days(0.9))).toEqual({ step: 'open', at: days(-1) });
    expect(dueStep(told, days(40))).toEqual({ step: 'remind', at: days(40) });
    const again = { ...told, remindedAt: days(40) };
    expect(dueStep(again, days(40))).toEqual({ step: 'open', at: days(41) });
    expect(chargeAt(told.period, days(40))).toEqual(days(41));
    // One that is on time, or late by less than its notice, postpones nothing.
    expect([-3, -2].map(at => chargeAt(told.period, days(at)))).toEqual([days(-1), days(-1)]);
  });

  test('sends the invoice of a manual renewal at once', () => {
    const manual = renewal({ collectionMethod: 'sendInvoice' });
    expect(dueStep(manual, days(40))).toEqual({ step: 'open', at: days(-7) });
  });

  test('makes the tries that it missed as one', () => {
    const open = { ...told, openedAt: days(-1), tries: 1 };
    expect(dueStep(open, days(4.5))).toEqual({ step: 'charge', at: days(0) });
    expect(triesDue(open, days(4.5))).toBe(4);
    expect(triesDue(open, days(6))).toBe(5);
    expect(triesDue({ ...open, tries: 4 }, days(4.5))).toBe(5);
    expect(triesDue({ ...open, collectionMethod: 'sendInvoice' }, days(5.9))).toBe(4);
  });

  test('restarts a renewal whose tries were never made, and ends one that had all of them', () => {
    const open = { ...told, openedAt: days(-1), tries: 2 };
    expect(dueStep(open, days(6.04)).step).toBe('charge');
    for (const late of [6.05, 40]) expect(dueStep(open, days(late)).step).toBe('restart');
    expect(dueStep({ ...open, tries: 5 }, days(40)).step).toBe('expire');
    const asked = { ...open, collectionMethod: 'sendInvoice' as const };
    for (const late of [6, 7.9]) expect(dueStep(asked, days(late))).toEqual({ step: 'expire', at: days(6) });
    expect(dueStep(asked, days(8)).step).toBe('restart');
    expect(dueStep({ ...asked, tries: 4 }, days(40)).step).toBe('expire');
  });
});

test('whatever changes on the way, time never runs backwards and every renewal ends', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(1, 3, 6, 12),
      fc.array(
        fc.tuple(fc.constantFrom('chargeAutomatically', 'sendInvoice'), fc.integer({ min: 0, max: 20 })),
        { minLength: 30, maxLength: 30 },
      ),
      (cycleCount, turns) => {
        let state = renewal({ cycleCount });
        let now = state.period.start;
        let charges = 0;
        for (const [collectionMethod, late] of turns) {
          state = { ...state, collectionMethod };
          const { step, at } = nextRenewalStep(state);
          now = new Date(Math.max(at.getTime(), now.getTime()) + late * 60_000);
          if (step === 'expire') {
            expect(now.getTime()).toBeGreaterThanOrEqual(days(6).getTime());
            expect(charges).toBeLessThanOrEqual(5);
            return;
          }
          if (step === 'remind') state = { ...state, reminders: remindersDue(state, now) };
          else if (step === 'open') state = { ...state, openedAt: now };
          else state = { ...state, tries: state.tries + 1 };
          if (step === 'charge') charges += 1;
        }
        expect.unreachable('it never ended');
      },
    ),
  );
});
