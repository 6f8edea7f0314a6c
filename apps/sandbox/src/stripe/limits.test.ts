import type Stripe from 'stripe';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Ledger } from '../control/ledger.ts';
import { errorOf, eventually, type Harness, startHarness } from '../testing/harness.ts';
import { createStripeChecker } from '../testing/stripe-schema.ts';

const DAY_MS = 86_400_000;

let sandbox: Harness;
beforeAll(async () => {
  sandbox = await startHarness();
});
beforeEach(() => sandbox.control('reset', {}));
afterAll(() => sandbox.stop());

const advance = (ms: number) => sandbox.control('clock/advance', { ms });
const create = (amount: number, currency: string) =>
  sandbox.stripe.paymentIntents.create({ amount, currency });
const pay = (more: Partial<Stripe.PaymentIntentCreateParams> = {}, client = sandbox.stripe) =>
  client.paymentIntents.create({
    amount: 29_900,
    currency: 'thb',
    allowed_payment_method_types: ['card'],
    confirm: true,
    payment_method: 'pm_card_visa',
    ...more,
  });
const refund = (intent: Stripe.PaymentIntent, amount?: number) =>
  sandbox.stripe.refunds.create({ payment_intent: intent.id, amount });

describe('an amount', () => {
  it.each([
    [999, 'thb', 'Amount must be at least ฿10.00 thb'],
    [49, 'usd', 'Amount must be at least $0.50 usd'],
    [29, 'gbp', 'Amount must be at least £0.30 gbp'],
    [49, 'jpy', 'Amount must be at least ¥50 jpy'],
  ])('of %i %s is below the minimum of its currency', async (amount, currency, message) => {
    expect(await errorOf(create(amount, currency))).toMatchObject({
      statusCode: 400,
      code: 'amount_too_small',
      param: 'amount',
      rawType: 'invalid_request_error',
      message,
    });
    expect((await create(amount + 1, currency)).amount).toBe(amount + 1);
  });

  it('in a currency that the account does not hold must be worth half a dollar', async () => {
    expect(await errorOf(create(500_000, 'lak'))).toMatchObject({
      code: 'amount_too_small',
      message: expect.stringMatching(
        /^Amount must convert to at least \$0\.50\. ₭5,000\.00 converts to approximately \$0\.\d\d\.$/,
      ),
    });
    expect((await create(1_500_000, 'lak')).amount).toBe(1_500_000);
  });

  it('is converted to the settlement currency first, if one is set', async () => {
    await create(50, 'usd');
    await sandbox.control('settlement', { currency: 'gbp' });
    expect(await errorOf(create(1_000, 'thb'))).toMatchObject({
      message: expect.stringContaining('Amount must convert to at least £0.30.'),
    });
    expect((await create(1_500, 'thb')).currency).toBe('thb');
  });

  it.each([
    ['thb', 99_999_999, 'Amount must be no more than ฿999,999.99'],
    ['jpy', 99_999_999, 'Amount must be no more than ¥99,999,999'],
    ['inr', 999_999_999, 'Amount must be no more than ₹9,999,999.99'],
  ])('in %s has a limited number of digits', async (currency, most, message) => {
    expect((await create(most, currency)).amount).toBe(most);
    expect(await errorOf(create(most + 1, currency))).toMatchObject({ code: 'amount_too_large', message });
  });

  it('cannot be changed to one that would be refused, while other changes stay possible', async () => {
    const { id } = await create(1_000, 'thb');
    const update = (change: Stripe.PaymentIntentUpdateParams) =>
      sandbox.stripe.paymentIntents.update(id, change);
    expect((await errorOf(update({ amount: 100 }))).code).toBe('amount_too_small');
    await sandbox.control('settlement', { currency: 'gbp' });
    expect((await update({ description: 'x' })).description).toBe('x');
  });
});

describe('an object in use', () => {
  const locked = { statusCode: 429, code: 'lock_timeout', type: 'StripeRateLimitError' };

  it('refuses a second call that would change it, but can be read', async () => {
    const { id } = await create(2_000, 'thb');
    await sandbox.fault(
      { provider: 'stripe', path: '/v1/payment_intents/*/confirm' },
      { delayBefore: 3_000 },
    );
    const slow = sandbox.stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' });
    await eventually(async () => (await sandbox.control<{ struck: object }>('faults')).struck).toEqual({
      delayBefore: 1,
    });
    const error = await errorOf(sandbox.stripe.paymentIntents.cancel(id));
    expect(error).toMatchObject(locked);
    expect(error.headers).toMatchObject({ 'stripe-should-retry': 'true' });
    expect((await sandbox.stripe.paymentIntents.retrieve(id)).status).toBe('requires_payment_method');
    expect((await create(2_000, 'thb')).id).not.toBe(id);
    expect((await slow).status).toBe('succeeded');
  });

  it('is retried by the SDK until it is free, and the refusal is not kept for the key', async () => {
    const intent = await pay();
    await sandbox.control('lock', { object: intent.id, ms: 60_000 });
    const again = { idempotencyKey: 'locked-1' };
    const take = () => sandbox.stripe.refunds.create({ charge: String(intent.latest_charge) }, again);
    expect(await errorOf(take())).toMatchObject(locked);
    expect(await errorOf(take())).toMatchObject(locked);
    // Shorter than the SDK waits before it retries.
    await sandbox.control('lock', { object: String(intent.latest_charge), ms: 400 });
    const retried = await sandbox.retrying.refunds.create({ charge: String(intent.latest_charge) }, again);
    expect(retried.status).toBe('succeeded');
    const { data } = await sandbox.stripe.refunds.list({ payment_intent: intent.id });
    expect(data).toHaveLength(1);
  });

  it('is free again after the time of the lock, or when unlocked', async () => {
    const { id } = await create(2_000, 'thb');
    await sandbox.control('lock', { object: id, ms: 60_000 });
    expect(await errorOf(sandbox.stripe.paymentIntents.cancel(id))).toMatchObject(locked);
    await advance(61_000);
    expect((await sandbox.stripe.paymentIntents.cancel(id)).status).toBe('canceled');
    const another = await create(2_000, 'thb');
    await sandbox.control('lock', { object: another.id, ms: 60_000 });
    await sandbox.control('lock', { object: another.id, ms: 0 });
    expect((await sandbox.stripe.paymentIntents.cancel(another.id)).status).toBe('canceled');
  });
});

describe('a refund', () => {
  const dispute = (intent: Stripe.PaymentIntent, more: object = {}) =>
    sandbox.control('disputes/open', { payment_intent: intent.id, ...more });

  it('is refused after the refund window, if one is set, and for good', async () => {
    const intent = await pay();
    await sandbox.control('refunds/window', { days: 90 });
    await advance(89 * DAY_MS);
    expect((await refund(intent, 1_000)).status).toBe('succeeded');
    await advance(2 * DAY_MS);
    expect(await errorOf(refund(intent))).toMatchObject({
      statusCode: 400,
      code: 'charge_not_refundable',
      message: 'This payment is too old to be refunded. It has passed its 90-day refund window.',
    });
    await sandbox.control('refunds/window', {});
    expect((await refund(intent)).amount).toBe(28_900);
  });

  it('of a disputed charge is refused while the dispute is open, lost, or won', async () => {
    for (const outcome of ['won', 'lost']) {
      const intent = await pay();
      const { id } = await dispute(intent);
      expect((await errorOf(refund(intent))).code).toBe('charge_disputed');
      await sandbox.control('disputes/close', { dispute: id, outcome });
      expect((await sandbox.stripe.disputes.retrieve(id)).is_charge_refundable).toBe(false);
      expect((await errorOf(refund(intent))).code).toBe('charge_disputed');
    }
  });

  it('is possible during an inquiry, and after a won dispute that Stripe marks so', async () => {
    const asked = await pay();
    await dispute(asked, { inquiry: true });
    expect((await refund(asked)).status).toBe('succeeded');
    const won = await pay();
    const { id } = await dispute(won);
    await sandbox.control('disputes/close', { dispute: id, outcome: 'won', refundable: true });
    expect((await sandbox.stripe.disputes.retrieve(id)).is_charge_refundable).toBe(true);
    expect((await refund(won)).status).toBe('succeeded');
  });
});

describe('a payout', () => {
  const payOut = (amount: number) => sandbox.control<Stripe.Payout>('payouts', { currency: 'thb', amount });

  it('takes only what is available, and arrives a day later', async () => {
    await pay();
    await advance(DAY_MS);
    await expect(payOut(10_000)).rejects.toThrow('insufficient funds');
    await advance(2 * DAY_MS);
    await expect(payOut(27_810)).rejects.toThrow('insufficient funds');
    const { id } = await payOut(27_809);
    const shown = () => sandbox.stripe.payouts.retrieve(id, { expand: ['balance_transaction'] });
    expect(await shown()).toMatchObject({
      status: 'in_transit',
      balance_transaction: { type: 'payout', amount: -27_809, source: id },
    });
    await advance(DAY_MS);
    expect((await shown()).status).toBe('paid');
    const { data } = await sandbox.stripe.payouts.list({ status: 'paid' });
    expect(data.map(one => one.id)).toEqual([id]);
  });

  it('that fails returns to the balance, also after it was paid', async () => {
    await pay();
    await advance(1_000);
    await advance(2 * DAY_MS);
    const { id } = await payOut(10_000);
    await advance(DAY_MS);
    await sandbox.control('payouts/settle', { payout: id, outcome: 'failed' });
    const failed = await sandbox.stripe.payouts.retrieve(id, { expand: ['failure_balance_transaction'] });
    expect(failed).toMatchObject({
      status: 'failed',
      failure_code: 'account_closed',
      failure_balance_transaction: {
        type: 'payout_failure',
        reporting_category: 'payout_reversal',
        amount: 10_000,
      },
    });
    await expect(sandbox.control('payouts/settle', { payout: id, outcome: 'paid' })).rejects.toThrow(
      'failed',
    );
    const { balances } = await sandbox.control<Ledger>('ledger');
    expect(balances.thb).toMatchObject({ payouts: 0, net: 27_809 });
  });
});

it('Stripe’s own bills, taxes, corrections and reserves belong to no payment', async () => {
  for (const [kind, amount] of [
    ['fee', 1_000],
    ['tax', 70],
    ['adjustment', -300],
    ['reserve', 500],
  ]) {
    await sandbox.control('bills', { kind, currency: 'thb', amount });
  }
  const { data } = await sandbox.stripe.balanceTransactions.list();
  expect(data.map(one => [one.type, one.reporting_category, one.net, one.source])).toEqual([
    ['reserved_funds', 'risk_reserved_funds', -500, null],
    ['adjustment', 'other_adjustment', 300, null],
    ['tax_fee', 'tax', -70, null],
    ['stripe_fee', 'fee', -1_000, null],
  ]);
  const { balances } = await sandbox.control<Ledger>('ledger');
  expect(balances.thb).toMatchObject({ fees: -1_070, adjustments: -200, net: -1_270 });
  const { available } = await sandbox.stripe.balance.retrieve();
  expect(available.find(sum => sum.currency === 'thb')?.amount).toBe(-1_270);
});

it('every answer and event fits the SDK’s types', { timeout: 60_000 }, async () => {
  const check = createStripeChecker();
  expect(sandbox.emitted.length).toBeGreaterThan(50);
  expect([...new Set(sandbox.emitted.flatMap(({ body, view }) => check(body, view)))]).toEqual([]);
});
