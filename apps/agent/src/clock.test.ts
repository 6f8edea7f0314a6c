import { expect, test } from 'vitest';
import { createTime, type Moment, thisMachine } from './clock.ts';

const [DAY_MS, NOON] = [86_400_000, Date.parse('2026-11-25T12:00:00Z')];

function machine(boot = 'first') {
  const is = { systemClockMs: NOON, upMs: 5000 };
  const time = createTime({ systemClock: () => new Date(is.systemClockMs), boot, upMs: () => is.upMs });
  const pass = (ms: number) => {
    is.systemClockMs += ms;
    is.upMs += ms;
  };
  return { is, time, pass };
}

test('K15 the time is the shop’s and advances by a clock that nobody can set', () => {
  const { is, time, pass } = machine();
  expect(time.now()).toEqual(new Date(NOON));
  const heard: Moment = { ...time.moment(), shop: new Date(NOON + 2000) };
  time.hear(heard);
  pass(1000);
  for (const wrong of [7 * DAY_MS, -7 * DAY_MS]) {
    is.systemClockMs += wrong;
    expect(time.now()).toEqual(new Date(NOON + 3000));
    expect(time.since(heard)).toBe(1000);
  }
});

test('after a reboot the system clock tells how long the machine was off, and never a negative time', () => {
  const before = machine();
  // The system clock was wrong before and is equally wrong after the reboot.
  before.is.systemClockMs += 7 * DAY_MS;
  const heard: Moment = { ...before.time.moment(), shop: new Date(NOON) };
  const { is, time } = machine('second');
  is.systemClockMs = heard.wall.getTime() + DAY_MS;
  time.hear(heard);
  expect(time.since(heard)).toBe(DAY_MS);
  expect(time.now()).toEqual(new Date(NOON + DAY_MS));
  is.systemClockMs = 0;
  expect(time.since(heard)).toBe(0);
  // A restarted container has the boot id of its host and a shorter uptime.
  is.systemClockMs = heard.wall.getTime() + 2 * DAY_MS;
  expect(time.since({ ...heard, boot: 'second', upMs: 9000 })).toBe(2 * DAY_MS);
});

test('a changed system clock is reported once, and a small correction is not', () => {
  const { is, time, pass } = machine();
  pass(DAY_MS);
  is.systemClockMs += 30_000;
  expect(time.moved()).toBe(false);
  is.systemClockMs -= DAY_MS;
  expect(time.moved()).toBe(true);
  expect(time.moved()).toBe(false);
});

test('a machine has a system clock, a boot id and an uptime', () => {
  const { systemClock, boot, upMs } = thisMachine();
  expect(Math.abs(systemClock().getTime() - Date.now())).toBeLessThan(1000);
  expect(boot).toMatch(/^[0-9a-f-]{36}$/);
  expect(upMs()).toBeGreaterThan(0);
});
