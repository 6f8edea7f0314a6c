import type Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Ledger } from '../control/ledger.ts';
import type { Delivery } from '../delivery/queue.ts';
import { errorOf, eventually, type Harness, startHarness } from '../testing/harness.ts';
import { createStripeChecker } from '../testing/stripe-schema.ts';

let sandbox: Harness;
beforeAll(async () => {
  sandbox = await startHarness();
});
afterAll(() => sandbox.stop());

const pay = (card: string, amount = 7_000, currency = 'usd') =>
  sandbox.stripe.paymentIntents.create({
    amount,
    currency,
    allowed_payment_method_types: ['card'],
    confirm: true,
    payment_method: card,
    expand: ['latest_charge'],
  });
const refund = (intent: Stripe.PaymentIntent, amount?: number) =>
  sandbox.stripe.refunds.create({ payment_intent: intent.id, amount });
const chargeOf = (intent: Stripe.PaymentIntent) =>
  sandbox.stripe.charges.retrieve((intent.latest_charge as Stripe.Charge).id, { expand: ['refunds'] });
const total = async (currency: string): Promise<number> =>
  (await sandbox.control<Ledger>('ledger')).totals[currency] ?? 0;

describe('refunds', () => {
  it('return the money in parts until nothing is left', async () => {
    const before = await total('usd');
    const intent = await pay('pm_card_visa');
    expect(await refund(intent, 4_000)).toMatchObject({ status: 'succeeded', amount: 4_000 });
    expect(await chargeOf(intent)).toMatchObject({ amount_refunded: 4_000, refunded: false });
    expect((await errorOf(refund(intent, 4_000))).raw).toMatchObject({
      type: 'invalid_request_error',
      param: 'amount',
      message: 'Refund amount ($40.00) is greater than unrefunded amount on charge ($30.00)',
    });
    expect((await refund(intent)).amount).toBe(3_000);
    const charge = await chargeOf(intent);
    expect(charge).toMatchObject({ amount_refunded: 7_000, refunded: true });
    expect(charge.refunds!.data).toHaveLength(2);
    expect((await errorOf(refund(intent))).code).toBe('charge_already_refunded');
    expect(await total('usd')).toBe(before);
    await eventually(() => sandbox.typesOf(intent.id)).toContain('charge.refunded');
    const listed = await sandbox.stripe.refunds.list({ payment_intent: intent.id });
    expect(listed.data.map(one => one.amount)).toEqual([3_000, 4_000]);
  });

  it('require a payment that succeeded', async () => {
    const open = await sandbox.stripe.paymentIntents.create({ amount: 7_000, currency: 'usd' });
    expect((await errorOf(refund(open))).message).toBe(
      `This PaymentIntent (${open.id}) does not have a successful charge to refund.`,
    );
  });

  it('that are pending raise nothing before the bank has finished', async () => {
    const intent = await pay('pm_card_pendingRefund');
    const pending = await refund(intent);
    expect(pending).toMatchObject({ status: 'pending', balance_transaction: null });
    expect((await chargeOf(intent)).amount_refunded).toBe(0);
    expect((await errorOf(refund(intent))).code).toBe('charge_already_refunded');
    await eventually(() => sandbox.typesOf(pending.id)).toEqual(['refund.created']);
    expect(sandbox.typesOf(intent.id)).not.toContain('charge.refunded');
    await sandbox.control('clock/advance', { ms: 60_000 });
    expect((await sandbox.stripe.refunds.retrieve(pending.id)).status).toBe('succeeded');
    expect((await chargeOf(intent)).refunded).toBe(true);
    await eventually(() => sandbox.typesOf(pending.id)).toContain('refund.updated');
    await eventually(() => sandbox.typesOf(intent.id)).toContain('charge.refunded');
  });

  it('that fail later return the money to the account', async () => {
    const before = await total('usd');
    const intent = await pay('pm_card_refundFail');
    const made = await refund(intent);
    expect(made.status).toBe('succeeded');
    await sandbox.control('clock/advance', { ms: 60_000 });
    const failed = await sandbox.stripe.refunds.retrieve(made.id, {
      expand: ['failure_balance_transaction'],
    });
    expect(failed).toMatchObject({ status: 'failed', failure_balance_transaction: { amount: 7_000 } });
    expect(await chargeOf(intent)).toMatchObject({ amount_refunded: 0, refunded: false });
    expect(await total('usd')).toBe(before + 7_000);
    await eventually(() => sandbox.typesOf(made.id)).toContain('refund.failed');
  });

  it('of PromptPay wait for the customer’s bank details, and can be canceled', async () => {
    const intent = await sandbox.stripe.paymentIntents.create({
      amount: 29_900,
      currency: 'thb',
      allowed_payment_method_types: ['promptpay'],
      payment_method_data: { type: 'promptpay', billing_details: { email: 'ann@example.com' } },
      confirm: true,
    });
    await sandbox.control('promptpay/pay', { intent: intent.id });
    const waiting = await refund(intent, 10_000);
    expect(waiting).toMatchObject({ status: 'requires_action', instructions_email: 'ann@example.com' });
    expect((await sandbox.stripe.refunds.cancel(waiting.id)).status).toBe('canceled');
    const again = await refund(intent, 10_000);
    await sandbox.control('refunds/settle', { refund: again.id, outcome: 'pending' });
    expect((await sandbox.stripe.refunds.retrieve(again.id)).status).toBe('pending');
    await sandbox.control('clock/advance', { ms: 60_000 });
    const done = await sandbox.stripe.refunds.retrieve(again.id, { expand: ['balance_transaction'] });
    expect(done).toMatchObject({
      status: 'succeeded',
      balance_transaction: { type: 'payment_refund', amount: -10_000 },
    });
    const paid = await sandbox.stripe.paymentIntents.retrieve(intent.id, { expand: ['latest_charge'] });
    expect((paid.latest_charge as Stripe.Charge).amount_refunded).toBe(10_000);
  });

  it('can be settled once by a test', async () => {
    const end = (id: string, outcome: string) => sandbox.control('refunds/settle', { refund: id, outcome });
    const late = await refund(await pay('pm_card_pendingRefund'));
    await end(late.id, 'succeeded');
    await expect(end(late.id, 'succeeded')).rejects.toThrow('is succeeded and cannot become succeeded');
    await end(late.id, 'failed');
    await expect(end(late.id, 'succeeded')).rejects.toThrow('is failed');
    // The bank's own answer does not settle it again.
    await sandbox.control('clock/advance', { ms: 60_000 });
    expect((await sandbox.stripe.refunds.retrieve(late.id)).status).toBe('failed');
    await eventually(() => sandbox.typesOf(late.id)).toContain('refund.failed');
    const types = sandbox.typesOf(late.id);
    expect(types.filter(type => type === 'refund.updated')).toHaveLength(2);
    expect(types.filter(type => type === 'refund.failed')).toHaveLength(1);
  });

  it('can be repeated after a failure', async () => {
    const intent = await pay('pm_card_refundFail');
    const first = await refund(intent);
    await sandbox.control('refunds/settle', { refund: first.id, outcome: 'failed' });
    const second = await refund(intent);
    expect(second.id).not.toBe(first.id);
    expect(second).toMatchObject({ status: 'succeeded', amount: 7_000 });
    const { data } = await sandbox.stripe.refunds.list({ payment_intent: intent.id });
    expect(data.map(one => one.status)).toEqual(['succeeded', 'failed']);
  });

  it('are found by our own number among those of their payment or charge', async () => {
    const intent = await pay('pm_card_visa');
    const charge = (intent.latest_charge as Stripe.Charge).id;
    const made = await sandbox.stripe.refunds.create({
      payment_intent: intent.id,
      amount: 1_000,
      metadata: { refund_id: 'r-1' },
    });
    await refund(intent, 2_000);
    await refund(await pay('pm_card_visa'));
    for (const filter of [{ payment_intent: intent.id }, { charge }]) {
      const { data } = await sandbox.stripe.refunds.list(filter);
      expect(data).toHaveLength(2);
      expect(data.filter(one => one.metadata?.refund_id === 'r-1').map(one => one.id)).toEqual([made.id]);
    }
  });

  it('accept metadata', async () => {
    const made = await refund(await pay('pm_card_visa'));
    const noted = await sandbox.stripe.refunds.update(made.id, { metadata: { credit_note: 'C-1' } });
    expect(noted.metadata).toEqual({ credit_note: 'C-1' });
  });
});

describe('disputes', () => {
  const open = (intent: Stripe.PaymentIntent, more = {}) =>
    sandbox.control('disputes/open', { payment_intent: intent.id, ...more });

  it('freeze refunds; a won one returns the money', async () => {
    const intent = await pay('pm_card_visa');
    const { id } = await open(intent);
    expect((await errorOf(refund(intent))).code).toBe('charge_disputed');
    expect((await chargeOf(intent)).disputed).toBe(true);
    await sandbox.control('disputes/close', { dispute: id, outcome: 'won' });
    const dispute = await sandbox.stripe.disputes.retrieve(id);
    expect(dispute.status).toBe('won');
    expect(dispute.balance_transactions.map(one => one.net)).toEqual([-8_500, 7_000]);
    await eventually(() => sandbox.typesOf(intent.id)).toContain('charge.dispute.funds_reinstated');
  });

  it('are lost when the shop accepts them', async () => {
    const intent = await pay('pm_card_visa');
    const { id } = await open(intent, { reason: 'product_not_received' });
    expect(await sandbox.stripe.disputes.close(id)).toMatchObject({
      status: 'lost',
      reason: 'product_not_received',
    });
    await eventually(() => sandbox.typesOf(intent.id)).toContain('charge.dispute.closed');
    expect((await errorOf(sandbox.stripe.disputes.close(id))).statusCode).toBe(400);
  });

  it('as an inquiry take no money', async () => {
    const intent = await pay('pm_card_createDisputeInquiry');
    await eventually(() => sandbox.typesOf(intent.id)).toContain('charge.dispute.created');
    expect(sandbox.typesOf(intent.id)).not.toContain('charge.dispute.funds_withdrawn');
  });
});

describe('records', () => {
  it('lists are paged, newest first, and filtered', async () => {
    const customer = await sandbox.stripe.customers.create({});
    const made: string[] = [];
    for (let i = 0; i < 5; i++) {
      const intent = await sandbox.stripe.paymentIntents.create({
        amount: 7_000,
        currency: 'usd',
        customer: customer.id,
      });
      made.unshift(intent.id);
    }
    const first = await sandbox.stripe.paymentIntents.list({ customer: customer.id, limit: 2 });
    expect([first.data.map(one => one.id), first.has_more]).toEqual([made.slice(0, 2), true]);
    const all = await sandbox.stripe.paymentIntents
      .list({ customer: customer.id, limit: 2 })
      .autoPagingToArray({ limit: 9 });
    expect(all.map(one => one.id)).toEqual(made);
    const later = await sandbox.stripe.paymentIntents.list({
      customer: customer.id,
      created: { gt: all[0]!.created },
    });
    expect(later.data).toEqual([]);
    expect((await errorOf(sandbox.stripe.paymentIntents.list({ limit: 101 }))).statusCode).toBe(400);
  });

  it('events are stored and can be filtered by type', async () => {
    const intent = await pay('pm_card_visa');
    const events = await sandbox.stripe.events.list({ types: ['payment_intent.succeeded'], limit: 1 });
    expect(events.data[0]?.data.object).toMatchObject({ id: intent.id, status: 'succeeded' });
    expect((await sandbox.stripe.events.retrieve(events.data[0]!.id)).type).toBe('payment_intent.succeeded');
  });

  it('the account accepts payments, and states which', async () => {
    expect(await sandbox.stripe.accounts.retrieveCurrent()).toMatchObject({
      charges_enabled: true,
      capabilities: { card_payments: 'active', promptpay_payments: 'active' },
    });
  });

  it('webhook endpoints are listed; a further one gets its own secret and only the events it asked for', async () => {
    const { data } = await sandbox.stripe.webhookEndpoints.list();
    expect(data[0]).toMatchObject({ enabled_events: ['*'], status: 'enabled' });
    expect(data[0]!.secret).toBeUndefined();
    const made = await sandbox.stripe.webhookEndpoints.create({
      url: 'http://127.0.0.1:9/x',
      enabled_events: ['charge.dispute.created'],
    });
    expect(made.secret).toMatch(/^whsec_/);
    expect(made.secret).not.toBe('whsec_harness');
    await sandbox.control('disputes/open', { payment_intent: (await pay('pm_card_visa')).id });
    const { deliveries } = await sandbox.control<{ deliveries: Delivery[] }>('deliveries');
    expect(deliveries.filter(({ endpoint }) => endpoint === made.id).map(({ type }) => type)).toEqual([
      'charge.dispute.created',
    ]);
    const elsewhere = sandbox.stripe.webhookEndpoints.create({
      url: 'https://example.com/x',
      enabled_events: ['*'],
    });
    expect((await errorOf(elsewhere)).code).toBe('url_invalid');
  });

  it('a deleted customer is remembered as deleted, and loses the cards', async () => {
    const customer = await sandbox.stripe.customers.create({
      email: 'ann@example.com',
      metadata: { user: '1' },
    });
    const method = await sandbox.stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id });
    await sandbox.stripe.customers.update(customer.id, { name: 'Ann', metadata: { user: '' } });
    expect(await sandbox.stripe.customers.retrieve(customer.id)).toMatchObject({ name: 'Ann', metadata: {} });
    await sandbox.stripe.customers.del(customer.id);
    expect(await sandbox.stripe.customers.retrieve(customer.id)).toMatchObject({ deleted: true });
    expect((await sandbox.stripe.paymentMethods.retrieve(method.id)).customer).toBeNull();
    expect((await errorOf(sandbox.stripe.customers.update(customer.id, { name: 'B' }))).code).toBe(
      'resource_missing',
    );
    await eventually(() => sandbox.typesOf(customer.id)).toEqual([
      'customer.created',
      'customer.updated',
      'customer.deleted',
    ]);
  });
});

it('every answer and event fits the SDK’s types', { timeout: 240_000 }, async () => {
  const check = createStripeChecker();
  expect(sandbox.emitted.length).toBeGreaterThan(100);
  expect([...new Set(sandbox.emitted.flatMap(({ body, view }) => check(body, view)))]).toEqual([]);
});
