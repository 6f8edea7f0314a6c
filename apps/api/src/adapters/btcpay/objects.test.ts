import { describe, expect, test } from 'vitest';
import { bitcoins, money, rateOf, satoshiOf } from './amounts.ts';
import { paymentOf, refundOf } from './objects.ts';
import { invoiceShape, paymentMethodShape } from './shapes.ts';

type Coins = [value: string, status: 'Processing' | 'Settled'];

/** 199.00 THB at 2,000,000 THB per bitcoin: 9,950 satoshi, each worth 0.02 THB. */
const stands = (status: string, coins: readonly Coins[] = [], more: object = {}) =>
  paymentOf(
    invoiceShape.parse({
      id: 'inv',
      status,
      currency: 'THB',
      amount: '199',
      paidAmount: '0',
      expirationTime: 1_800_000_000,
      metadata: { orderId: 'att_1-1', attemptId: 'att_1' },
    }),
    paymentMethodShape.parse({
      paymentMethodId: 'BTC-CHAIN',
      destination: 'bc1qx',
      paymentLink: '',
      rate: '2000000',
      payments: coins.map(([value, state], i) => ({ id: `tx${i}-0`, value, fee: '0', status: state })),
      ...more,
    }),
  );
const EXACT = '0.0000995';
const HALF = '0.0000495';
const DOUBLE = '0.000199';

describe('S40 an invoice of BTCPay', () => {
  test('without a payment is open, then expires', () => {
    expect(stands('New')).toMatchObject({
      state: 'open',
      received: 0,
      seen: 0,
      amount: 199_00,
      nextAction: {
        kind: 'scan',
        text: `bitcoin:bc1qx?amount=${EXACT}`,
        address: 'bc1qx',
        unit: 'BTC',
        amount: EXACT,
        expiresAt: '2027-01-15T08:00:00.000Z',
      },
    });
    expect(stands('New').nextAction).not.toHaveProperty('arrived');
    for (const status of ['Expired', 'Invalid', 'Settled']) {
      expect(stands(status)).toMatchObject({ state: 'closed', received: 0 });
    }
  });

  test('is paid only once the coins are confirmed', () => {
    expect(stands('Processing', [[EXACT, 'Processing']])).toMatchObject({
      state: 'processing',
      received: 0,
      seen: 199_00,
      nextAction: { kind: 'wait', seen: { amount: EXACT, unit: 'BTC' } },
    });
    const paid = stands('Settled', [[EXACT, 'Settled']]);
    expect(paid).toMatchObject({ state: 'succeeded', received: 199_00, fee: 0 });
    expect(paid.transfers).toEqual([{ ref: 'tx0-0', amount: 199_00 }]);
    expect(paid.nextAction).toBeUndefined();
  });

  test('paid in part asks for the remainder while it is open, confirmed or not', () => {
    for (const status of ['Processing', 'Settled'] as const) {
      expect(stands('New', [[HALF, status]])).toMatchObject({
        state: 'open',
        seen: 99_00,
        nextAction: { kind: 'scan', amount: '0.00005', arrived: HALF },
      });
    }
  });

  test('paid in part and expired keeps what was received, once it is confirmed', () => {
    expect(stands('Expired', [[HALF, 'Processing']])).toMatchObject({ state: 'processing', received: 0 });
    expect(stands('Expired', [[HALF, 'Settled']])).toMatchObject({ state: 'succeeded', received: 99_00 });
    expect(stands('Invalid', [[HALF, 'Settled']])).toMatchObject({ state: 'succeeded', received: 99_00 });
  });

  test('overpaid reports the amount received', () => {
    expect(stands('Settled', [[DOUBLE, 'Settled']])).toMatchObject({ state: 'succeeded', received: 398_00 });
    const twice = stands('Settled', [
      [EXACT, 'Settled'],
      [HALF, 'Processing'],
    ]);
    expect(twice).toMatchObject({ state: 'succeeded', received: 199_00, seen: 298_00 });
  });

  test.each(['Expired', 'Invalid'])('that is %s accepts late coins', status => {
    expect(stands(status, [[EXACT, 'Processing']])).toMatchObject({ state: 'processing' });
    expect(stands(status, [[EXACT, 'Settled']])).toMatchObject({ state: 'succeeded', received: 199_00 });
  });

  test('whose coins were spent elsewhere is open again, or expired', () => {
    expect(stands('New')).toMatchObject({ state: 'open' });
    // BTCPay has not updated it since.
    expect(stands('Processing')).toMatchObject({ state: 'open' });
    expect(stands('Expired')).toMatchObject({ state: 'closed' });
  });

  test('ignores the network fee that its store adds', () => {
    const method = { payments: [{ id: 'tx', value: '0.0000997', fee: '0.0000002', status: 'Settled' }] };
    expect(stands('Settled', [], method)).toMatchObject({ state: 'succeeded', received: 199_00 });
  });
});

test('a price that no number of satoshi equals exactly counts as paid exactly', () => {
  const { wanted, worth } = rateOf('2345678.123456789');
  const coins = wanted(199_00);
  expect(coins).toBe(8484n);
  expect(worth(coins)).toBeGreaterThanOrEqual(199_00);
  expect(worth(coins - 1n)).toBeLessThan(199_00);
});

test('decimals are read and written without silent rounding', () => {
  expect(satoshiOf('0.00000001')).toBe(1n);
  expect(satoshiOf('-1.5')).toBe(-150_000_000n);
  expect(bitcoins(123_456_789n)).toBe('1.23456789');
  expect(bitcoins(100n)).toBe('0.000001');
  expect(money(2_500_00)).toBe('2500');
  expect(() => satoshiOf('1e-8')).toThrow(RangeError);
  expect(() => rateOf('0')).toThrow(RangeError);
});

describe('a refund', () => {
  const viewLink = 'https://btcpay.example.com/pull-payments/p';
  const pull = { id: 'p', name: 'Refund ref_1', description: '', currency: 'THB', amount: 199_00, viewLink };
  const state = (archived: boolean, ...paid: [number, 'AwaitingApproval' | 'Cancelled' | 'Completed'][]) =>
    refundOf(
      { ...pull, archived },
      paid.map(([originalAmount, at]) => ({ originalAmount, state: at })),
    ).state;
  test('succeeds once all of it was paid, in one claim or several', () => {
    expect(state(false)).toBe('pending');
    expect(state(false, [199_00, 'AwaitingApproval'])).toBe('pending');
    expect(state(false, [99_00, 'Completed'])).toBe('pending');
    expect(state(false, [99_00, 'Completed'], [100_00, 'Completed'])).toBe('succeeded');
    expect(state(true)).toBe('failed');
    expect(state(true, [99_00, 'Cancelled'])).toBe('failed');
    // The part that was paid cannot be sent again with the remainder.
    expect(state(true, [99_00, 'Completed'])).toBe('pending');
    expect(state(true, [199_00, 'Completed'])).toBe('succeeded');
  });
});
