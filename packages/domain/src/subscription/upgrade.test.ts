import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { periodEnd } from '../kernel/bangkok.ts';
import { changeAtOnce, replacementCredit, surplusKeys } from './upgrade.ts';

type PaidPeriod = Parameters<typeof changeAtOnce>[2][number];

const DAY_MS = 24 * 60 * 60_000;
const START = new Date('2026-11-22T03:30:00Z');
const YEAR = { start: START, end: periodEnd(START, 12) };
const after = (days: number) => new Date(START.getTime() + days * DAY_MS);
const year = (worth: number, price: number): PaidPeriod => ({ period: YEAR, worth, price });
const at = (days: number, ...paid: PaidPeriod[]) => changeAtOnce('THB', after(days), paid, 0);

describe('another plan for the days that are left', () => {
  test('costs the whole difference on the first day, and one day’s on the last', () => {
    expect(at(0, year(1552_00, 2566_00))).toEqual({
      days: 365,
      unused: 1552_00,
      price: 2566_00,
      charge: 1014_00,
      rest: 0,
    });
    expect(at(364.9, year(1552_00, 2566_00))).toMatchObject({
      days: 1,
      unused: 425,
      price: 703,
      charge: 278,
    });
  });

  test('counts the current day', () => {
    expect(at(10, year(1_00, 2_00)).days).toBe(355);
    expect(at(10.01, year(1_00, 2_00)).days).toBe(355);
    expect(at(9.99, year(1_00, 2_00)).days).toBe(356);
  });

  test('counts the next period in full where that is paid', () => {
    const period = { start: YEAR.end, end: periodEnd(START, 24) };
    const next = { period, worth: 1910_00, price: 3158_00 };
    expect(at(364.5, year(1552_00, 2566_00), next)).toMatchObject({
      days: 1 + 366,
      unused: 425 + 1910_00,
      price: 703 + 3158_00,
    });
  });

  test('is in whole yen, won and dong, half-up', () => {
    const paid = [year(1000_00, 2000_00)];
    const { unused, price, charge } = changeAtOnce('JPY', after(182), paid, 0);
    // 183 days of 365: 501.37 and 1002.74.
    expect([unused, price, charge]).toEqual([501_00, 1003_00, 502_00]);
    const half = [{ period: { start: START, end: after(2) }, worth: 1_00, price: 3_00 }];
    expect(changeAtOnce('KRW', after(1), half, 0)).toMatchObject({ unused: 1_00, price: 2_00 });
  });

  test('SE2 credits only days that have not begun to a subscription that takes its place', () => {
    const left = (days: number) =>
      replacementCredit('THB', after(days), [{ period: YEAR, worth: 365_00 }], 5_00);
    expect(left(0)).toEqual({ days: 364, unused: 359_00 });
    expect(left(0.99)).toEqual({ days: 364, unused: 359_00 });
    expect(left(10)).toEqual({ days: 354, unused: 349_00 });
    expect(left(364.9)).toEqual({ days: 0, unused: 0 });
  });

  test('does not credit refunded money', () => {
    expect(changeAtOnce('THB', START, [year(1552_00, 2566_00)], 1552_00).charge).toBe(2566_00);
    expect(changeAtOnce('THB', after(300), [year(1552_00, 2566_00)], 1552_00).unused).toBe(0);
  });

  test('that costs less leaves a remainder, and charges nothing', () => {
    expect(at(0, year(2000_00, 1500_00))).toMatchObject({ charge: 0, rest: 500_00 });
  });
});

const currency = fc.constantFrom('THB', 'USD', 'JPY', 'KRW', 'VND');
const amount = fc.integer({ min: 1, max: 10_000_000 }).map(units => units * 100);
const months = fc.constantFrom(1, 3, 6, 12);
const changes = fc.record({
  currency,
  now: fc.integer({ min: 0, max: 365 * DAY_MS }).map(ms => new Date(START.getTime() + ms)),
  paid: fc
    .tuple(months, fc.array(fc.record({ worth: amount, price: amount }), { minLength: 1, maxLength: 2 }))
    .map(([cycle, amounts]) =>
      amounts.map((one, i): PaidPeriod => {
        const period = { start: periodEnd(START, i * cycle), end: periodEnd(START, (i + 1) * cycle) };
        return { ...one, period };
      }),
    ),
  refunded: fc.oneof(fc.constant(0), amount),
});

describe('for any change at any time', () => {
  test('paid plus charged equals the price of the days, and no amount is negative', () => {
    fc.assert(
      fc.property(changes, ({ currency, now, paid, refunded }) => {
        const { unused, price, charge, rest } = changeAtOnce(currency, now, paid, refunded);
        expect(unused + charge).toBe(price + rest);
        expect(Math.min(unused, price, charge, rest)).toBeGreaterThanOrEqual(0);
        expect(Math.min(charge, rest)).toBe(0);
      }),
    );
  });

  test('all amounts are whole units of the currency', () => {
    fc.assert(
      fc.property(changes, ({ currency, now, paid }) => {
        const unit = ['JPY', 'KRW', 'VND'].includes(currency) ? 100 : 1;
        for (const money of Object.values(changeAtOnce(currency, now, paid, 0)).slice(1)) {
          expect(money % unit).toBe(0);
        }
      }),
    );
  });

  test('nobody is credited more than they paid, and less with each day that passes', () => {
    fc.assert(
      fc.property(changes, fc.integer({ min: 0, max: 400 }), ({ currency, now, paid }, days) => {
        const { unused } = changeAtOnce(currency, now, paid, 0);
        expect(unused).toBeLessThanOrEqual(paid.reduce((sum, { worth }) => sum + worth, 0));
        const later = new Date(now.getTime() + days * DAY_MS);
        expect(changeAtOnce(currency, later, paid, 0).unused).toBeLessThanOrEqual(unused);
      }),
    );
  });

  test('a second change credits what the first one charged: there and back costs nothing', () => {
    fc.assert(
      fc.property(changes, ({ currency, now, paid }) => {
        const there = changeAtOnce(currency, now, paid, 0);
        const turned = paid.map(({ period, worth, price }) => ({ period, worth: price, price: worth }));
        const back = changeAtOnce(currency, now, turned, 0);
        expect(back.unused).toBe(there.price);
        expect([back.charge, back.rest]).toEqual([there.rest, there.charge]);
      }),
    );
  });
});

test('a smaller plan has no room for the newest keys', () => {
  const key = (id: string, day: number) => ({ id, createdAt: after(day) });
  // Two were created at the same moment: the choice between them is stable.
  const keys = [key('d', 3), key('z', 1), key('c', 3), key('b', 2)];
  const surplus = (devices: number) => surplusKeys(keys, devices).map(({ id }) => id);
  expect([surplus(1), surplus(2), surplus(3), surplus(4)]).toEqual([['b', 'c', 'd'], ['c', 'd'], ['d'], []]);
});
