import type Stripe from 'stripe';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Ledger } from '../control/ledger.ts';
import { type Harness, startHarness } from '../testing/harness.ts';
import { createStripeChecker } from '../testing/stripe-schema.ts';
import { chargeFee } from './fees.ts';

let sandbox: Harness;
beforeAll(async () => {
  sandbox = await startHarness();
});
beforeEach(() => sandbox.control('reset', {}));
afterAll(() => sandbox.stop());

const DAY = 86_400_000;
const advance = (ms: number) => sandbox.control('clock/advance', { ms });
const expand = ['latest_charge.balance_transaction'];

/** Pays, and waits until the charge is booked. */
async function pay(amount: number, currency: string, more: Partial<Stripe.PaymentIntentCreateParams> = {}) {
  const { id } = await sandbox.stripe.paymentIntents.create({
    amount,
    currency,
    allowed_payment_method_types: ['card'],
    confirm: true,
    payment_method: 'pm_card_visa',
    ...more,
  });
  await advance(1_000);
  return sandbox.stripe.paymentIntents.retrieve(id, { expand });
}
const movementOf = (intent: Stripe.PaymentIntent) =>
  (intent.latest_charge as Stripe.Charge).balance_transaction as Stripe.BalanceTransaction;

/** Balance of a currency in minor units: available and pending. */
const held = async (currency: string) => {
  const { available, pending } = await sandbox.stripe.balance.retrieve();
  return [available, pending].map(sums => sums.find(sum => sum.currency === currency)?.amount ?? 0);
};

describe('the balance', () => {
  it('holds the net amount of a charge for two days, then makes it available', async () => {
    expect(movementOf(await pay(29_900, 'thb'))).toMatchObject({
      amount: 29_900,
      fee: 2_091,
      net: 27_809,
      status: 'pending',
    });
    expect(await held('thb')).toEqual([0, 27_809]);
    await advance(2 * DAY);
    expect(await held('thb')).toEqual([27_809, 0]);
    const { data } = await sandbox.stripe.balanceTransactions.list();
    expect(data.map(one => one.status)).toEqual(['available']);
  });

  it('is booked before the answer on request, and published once', async () => {
    const intent = await sandbox.stripe.paymentIntents.create({
      amount: 29_900,
      currency: 'thb',
      confirm: true,
      payment_method: 'pm_card_visa',
      allowed_payment_method_types: ['card'],
      capture_method: 'automatic',
      expand,
    });
    expect(movementOf(intent)).toMatchObject({ amount: 29_900, fee: 2_091 });
    await advance(1_000);
    const { data } = await sandbox.stripe.balanceTransactions.list();
    expect(data).toHaveLength(1);
    expect(sandbox.typesOf(intent.id)).not.toContain('charge.updated');
  });

  it('is kept by currency, in its smallest unit', async () => {
    await pay(1_000, 'jpy');
    await pay(1_000, 'usd');
    expect(await held('jpy')).toEqual([0, 933]);
    expect(await held('usd')).toEqual([0, 933]);
  });

  it('settles in one currency if set, by a changing rate, with fees in that currency', async () => {
    await sandbox.control('settlement', { currency: 'thb' });
    const intent = await pay(1_000, 'usd');
    const { amount, fee, currency, exchange_rate } = movementOf(intent);
    expect([currency, amount, fee]).toEqual([
      'thb',
      Math.round(1_000 * exchange_rate!),
      chargeFee(amount, 'thb'),
    ]);
    await pay(1_000, 'thb');
    await advance(DAY);
    const dispute = await sandbox.control<Stripe.Dispute>('disputes/open', { payment_intent: intent.id });
    expect([dispute.currency, dispute.amount]).toEqual(['usd', 1_000]);
    const [taken] = dispute.balance_transactions;
    expect([taken!.currency, taken!.fee]).toEqual(['thb', 1_500]);
    expect(taken!.exchange_rate).not.toBe(exchange_rate);
    const { available } = await sandbox.stripe.balance.retrieve();
    expect(available.map(sum => sum.currency)).toEqual(['thb']);
    // Whole yen, 0.24 baht each or some more.
    expect(movementOf(await pay(1_000, 'jpy')).amount).toBeGreaterThanOrEqual(24_000);
    await expect(sandbox.control('settlement', { currency: 'xyz' })).rejects.toThrow('has no rate here');
  });

  it('pays refunds and disputes; returned money comes back', async () => {
    const intent = await pay(29_900, 'thb', { payment_method: 'pm_card_refundFail' });
    const refund = await sandbox.stripe.refunds.create({ payment_intent: intent.id, amount: 900 });
    expect(await held('thb')).toEqual([-900, 27_809]);
    await advance(60_000);
    expect(await held('thb')).toEqual([0, 27_809]);
    const { id } = await sandbox.control('disputes/open', { payment_intent: intent.id });
    expect(await held('thb')).toEqual([-31_400, 27_809]);
    await sandbox.control('disputes/close', { dispute: id, outcome: 'won' });
    expect(await held('thb')).toEqual([-1_500, 27_809]);

    const { data } = await sandbox.stripe.balanceTransactions.list();
    expect(data.map(one => [one.type, one.amount, one.fee])).toEqual([
      ['adjustment', 29_900, 0],
      ['adjustment', -29_900, 1_500],
      ['refund_failure', 900, 0],
      ['refund', -900, 0],
      ['charge', 29_900, 2_091],
    ]);
    const ofRefund = await sandbox.stripe.balanceTransactions.list({ source: refund.id });
    expect(ofRefund.data.map(one => one.net)).toEqual([900, -900]);
  });

  it('equals the sum of its movements, read page by page', async () => {
    for (const amount of [5_000, 6_000, 7_000, 8_000, 9_000]) await pay(amount, 'thb');
    const all = await sandbox.stripe.balanceTransactions.list({ limit: 2 }).autoPagingToArray({ limit: 99 });
    expect(all.map(one => one.amount)).toEqual([9_000, 8_000, 7_000, 6_000, 5_000]);
    expect(all.reduce((sum, one) => sum + one.net, 0)).toBe((await held('thb'))[1]);
    const charges = await sandbox.stripe.charges.list({ expand: ['data.balance_transaction'] });
    expect(charges.data.map(one => (one.balance_transaction as Stripe.BalanceTransaction).id)).toEqual(
      all.map(one => one.id),
    );
  });
});

describe('the ledger', () => {
  it('lists everything that happened, with our own metadata', async () => {
    const paid = await pay(29_900, 'thb', { metadata: { attempt_id: 'a1' } });
    const open = await sandbox.stripe.paymentIntents.create({
      amount: 5_000,
      currency: 'thb',
      metadata: { attempt_id: 'a2' },
    });
    const refund = await sandbox.stripe.refunds.create({
      payment_intent: paid.id,
      amount: 900,
      metadata: { refund_id: 'r1' },
    });
    const late = await pay(7_000, 'usd', { payment_method: 'pm_card_pendingRefund' });
    await sandbox.stripe.refunds.create({ payment_intent: late.id });
    const disputed = await pay(8_000, 'usd');
    const { id: dispute } = await sandbox.control('disputes/open', { payment_intent: disputed.id });
    const unbooked = await sandbox.stripe.paymentIntents.confirm(open.id, { payment_method: 'pm_card_visa' });

    const ledger = await sandbox.control<Ledger>('ledger');
    expect(ledger.payments.map(one => [one.payment_intent, one.status, one.amount, one.received])).toEqual([
      [paid.id, 'succeeded', 29_900, 29_900],
      [open.id, 'succeeded', 5_000, 5_000],
      [late.id, 'succeeded', 7_000, 7_000],
      [disputed.id, 'succeeded', 8_000, 8_000],
    ]);
    expect(ledger.payments[0]).toMatchObject({
      customer: null,
      currency: 'thb',
      metadata: { attempt_id: 'a1' },
    });
    expect(ledger.charges.map(one => [one.payment_intent, one.fee, one.refunded, one.disputed])).toEqual([
      [paid.id, 2_091, 900, false],
      [late.id, 286, 0, false],
      [disputed.id, 322, 0, true],
      // Booked a moment later; on a slow machine it already is.
      [unbooked.id, expect.toBeOneOf([null, 1183]), 0, false],
    ]);
    expect(ledger.refunds).toMatchObject([
      { refund: refund.id, amount: 900, status: 'succeeded', metadata: { refund_id: 'r1' } },
      { payment_intent: late.id, amount: 7_000, status: 'pending' },
    ]);
    expect(ledger.disputes).toEqual([
      {
        dispute,
        charge: (disputed.latest_charge as Stripe.Charge).id,
        payment_intent: disputed.id,
        amount: 8_000,
        currency: 'usd',
        reason: 'fraudulent',
        status: 'needs_response',
        withdrawn: 8_000,
        fee: 1_500,
      },
    ]);
    expect(ledger.totals).toEqual({ thb: 34_000, usd: 15_000 });
    expect(ledger.balances).toEqual({
      thb: {
        charges: 29_900,
        refunds: -900,
        disputes: 0,
        payouts: 0,
        adjustments: 0,
        fees: -2_091,
        net: 26_909,
      },
      usd: {
        charges: 15_000,
        refunds: 0,
        disputes: -8_000,
        payouts: 0,
        adjustments: 0,
        fees: -2_108,
        net: 4_892,
      },
    });
  });
});

it('every answer and event fits the SDK’s types', { timeout: 60_000 }, async () => {
  const check = createStripeChecker();
  expect(sandbox.emitted.length).toBeGreaterThan(50);
  expect([...new Set(sandbox.emitted.flatMap(({ body, view }) => check(body, view)))]).toEqual([]);
});
