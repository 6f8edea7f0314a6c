import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { periodEnd } from '../kernel/bangkok.ts';
import {
  type Contract,
  canStepBack,
  type Returns,
  refundable,
  returnsAfter,
  splitRefund,
  withdrawableUntil,
} from './withdrawal.ts';

const DAY_MS = 24 * 60 * 60_000;
const PAID = new Date('2026-11-22T03:30:00Z');
const after = (days: number) => new Date(PAID.getTime() + days * DAY_MS);
const MONTH = { start: PAID, end: periodEnd(PAID, 1) };
const month = (change: Partial<Contract> = {}): Contract => ({
  concludedAt: PAID,
  left: 300_00,
  periods: [{ period: MONTH, worth: 300_00 }],
  unbegun: 0,
  refunded: 0,
  ...change,
});

describe('withdrawing from a contract of 30 days for 300', () => {
  test.each([
    ['full', 0, 300_00],
    ['full', 13.9, 300_00],
    ['full', 14.99, 300_00],
    ['full', 15, undefined],
    // The day that has begun is used, the first one from its first moment on.
    ['days', 0, 290_00],
    ['days', 0.9, 290_00],
    ['days', 1, 280_00],
    ['days', 5.5, 240_00],
    ['days', 14.99, 150_00],
    ['days', 15, undefined],
    ['days', 400, undefined],
  ] as const)('%s after %d days: %s', (by, days, back) => {
    expect(refundable('THB', after(days), by, month())).toBe(back);
  });

  test('a period that has not begun is unused, also where its host came late', () => {
    expect(refundable('THB', after(9), 'days', month({ periods: [], unbegun: 300_00 }))).toBe(300_00);
    // From 2 December to 2 January.
    const late = { start: after(10), end: periodEnd(after(10), 1) };
    const back = refundable(
      'THB',
      after(12),
      'days',
      month({ periods: [{ period: late, worth: 310_00 }], left: 310_00 }),
    );
    expect(back).toBe(280_00);
  });

  test('money that was refunded before is not refunded again', () => {
    expect(refundable('THB', after(5), 'full', month({ left: 200_00, refunded: 100_00 }))).toBe(200_00);
    expect(refundable('THB', after(5), 'days', month({ left: 200_00, refunded: 100_00 }))).toBe(140_00);
    expect(refundable('THB', after(14), 'days', month({ left: 0, refunded: 300_00 }))).toBe(0);
  });
});

test.each([
  ['after waiting longer than a set-up takes', 'provisioning', 1 / 24, 0, true],
  ['after waiting for months', 'provisioning', 100, 0, true],
  ['not while it is being set up', 'provisioning', 0.99 / 24, 0, false],
  ['not while it is served', 'active', 1, 0, false],
  ['not while it is past due', 'pastDue', 40, 0, false],
  ['not once it is over', 'expired', 1, 0, false],
  ['not while another subscription serves them', 'provisioning', 1, 1, false],
] as const)('a customer can step back from an order %s', (_, status, days, prorated, can) => {
  expect(canStepBack({ status, concludedAt: PAID, prorated }, after(days))).toBe(can);
});

test.each([
  ['full', [], 'full'],
  ['days', [], 'days'],
  // In full once, whatever was withdrawn from.
  ['full', [20], 'days'],
  ['full', [-31], 'days'],
  // Bought again soon after a withdrawal.
  ['full', [0], undefined],
  ['days', [-1], undefined],
  ['days', [-29.9], undefined],
  ['days', [-30], 'days'],
  // Another withdrawal since changes nothing.
  ['days', [-10, 5], undefined],
] as const)('SE3 the law says %s, withdrawals %o days after the contract: %s', (by, days, returns) => {
  expect(returnsAfter(by, PAID, days.map(after))).toBe(returns);
});

const amount = fc.integer({ min: 0, max: 10_000_000 }).map(units => units * 100);
const contracts = fc
  .record({
    left: amount,
    unbegun: amount,
    refunded: amount,
    worths: fc.array(amount, { maxLength: 2 }),
    cycle: fc.constantFrom(1, 3, 6, 12),
  })
  .map(
    ({ worths, cycle, ...of }): Contract => ({
      ...of,
      concludedAt: PAID,
      periods: worths.map((worth, i) => ({
        period: { start: periodEnd(PAID, i * cycle), end: periodEnd(PAID, (i + 1) * cycle) },
        worth,
      })),
    }),
  );
const moments = fc.integer({ min: 0, max: 20 * DAY_MS }).map(ms => new Date(PAID.getTime() + ms));
const currencies = fc.constantFrom('THB', 'JPY', 'VND');

describe('for any payment and any time of withdrawal', () => {
  test('the refund is between zero and the amount paid, in whole units, and none is given after the deadline', () => {
    fc.assert(
      fc.property(
        currencies,
        moments,
        fc.constantFrom<Returns>('full', 'days'),
        contracts,
        (currency, now, by, contract) => {
          const back = refundable(currency, now, by, contract);
          if (now >= withdrawableUntil(PAID)) {
            expect(back).toBeUndefined();
            return;
          }
          expect(back).toBeGreaterThanOrEqual(0);
          expect(back).toBeLessThanOrEqual(contract.left);
          if (currency !== 'THB') expect(back! % 100).toBe(0);
        },
      ),
    );
  });

  test('a full refund is never less than one by days, which decreases every day', () => {
    fc.assert(
      fc.property(currencies, moments, moments, contracts, (currency, a, b, contract) => {
        const [earlier, later] = a < b ? [a, b] : [b, a];
        const [first, second] = [earlier, later].map(now => refundable(currency, now, 'days', contract));
        if (first === undefined || second === undefined) return;
        expect(second).toBeLessThanOrEqual(first);
        expect(first).toBeLessThanOrEqual(refundable(currency, earlier, 'full', contract)!);
      }),
    );
  });

  test('all of it is refunded from some invoice, money first', () => {
    fc.assert(
      fc.property(amount, fc.array(fc.record({ money: amount }), { maxLength: 3 }), (back, invoices) => {
        const { parts, credit } = splitRefund(back, invoices);
        expect(parts.reduce((sum, { money }) => sum + money, credit)).toBe(back);
        for (const { invoice, money } of parts) {
          expect(money).toBeGreaterThan(0);
          expect(money).toBeLessThanOrEqual(invoice.money);
        }
        const money = invoices.reduce((sum, invoice) => sum + invoice.money, 0);
        expect(credit).toBe(Math.max(0, back - money));
      }),
    );
  });
});
