import type Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorOf, type Harness, startHarness } from '../testing/harness.ts';
import { paymentSteps } from '../testing/stripe-payments.ts';
import { createStripeChecker } from '../testing/stripe-schema.ts';

let sandbox: Harness;
beforeAll(async () => {
  sandbox = await startHarness();
});
afterAll(() => sandbox.stop());

const { settled, pay } = paymentSteps(() => sandbox);

describe('the first purchase', () => {
  it('charges, saves the card and notifies the shop', async () => {
    const customer = await sandbox.stripe.customers.create({});
    const intent = await pay({
      customer: customer.id,
      payment_method: 'pm_card_visa',
      setup_future_usage: 'off_session',
      metadata: { attempt_id: 'a1' },
      expand: ['latest_charge', 'payment_method'],
    });
    expect(intent).toMatchObject({
      status: 'succeeded',
      amount_received: 29_900,
      metadata: { attempt_id: 'a1' },
    });
    expect((intent.latest_charge as Stripe.Charge).metadata).toEqual({ attempt_id: 'a1' });
    expect((intent.payment_method as Stripe.PaymentMethod).customer).toBe(customer.id);
    await settled(intent.id, 'charge.updated');
    expect(sandbox.typesOf(intent.id)).toEqual([
      'payment_intent.created',
      'charge.succeeded',
      'payment_intent.succeeded',
      'charge.updated',
    ]);
    const saved = await sandbox.stripe.paymentMethods.list({ customer: customer.id, type: 'card' });
    expect(saved.data.map(method => method.card?.last4)).toEqual(['4242']);
    const updated = await sandbox.stripe.customers.update(customer.id, {
      invoice_settings: { default_payment_method: saved.data[0]!.id },
    });
    expect(updated.invoice_settings.default_payment_method).toBe(saved.data[0]!.id);
  });

  it('books the fee of a charge a moment later', async () => {
    const intent = await pay({ payment_method: 'pm_card_visa' });
    await settled(intent.id, 'charge.updated');
    const charge = await sandbox.stripe.charges.retrieve(String(intent.latest_charge));
    const movement = await sandbox.stripe.balanceTransactions.retrieve(String(charge.balance_transaction));
    expect(movement).toMatchObject({
      amount: 29_900,
      fee: 2_091,
      net: 27_809,
      type: 'charge',
      source: charge.id,
    });
  });

  const declines = [
    ['pm_card_visa_chargeDeclined', 'card_declined', 'generic_decline'],
    ['pm_card_visa_chargeDeclinedInsufficientFunds', 'card_declined', 'insufficient_funds'],
    ['pm_card_visa_chargeDeclinedLostCard', 'card_declined', 'lost_card'],
    ['pm_card_visa_chargeDeclinedStolenCard', 'card_declined', 'stolen_card'],
    ['pm_card_chargeDeclinedExpiredCard', 'expired_card', 'expired_card'],
    ['pm_card_chargeDeclinedIncorrectCvc', 'incorrect_cvc', 'incorrect_cvc'],
    ['pm_card_chargeDeclinedProcessingError', 'processing_error', 'processing_error'],
    ['pm_card_visa_chargeDeclinedVelocityLimitExceeded', 'card_declined', 'card_velocity_exceeded'],
    ['pm_card_chargeCustomerFail', 'card_declined', 'generic_decline'],
  ];
  it.each(declines)('%s is declined with %s, %s', async (card, code, decline) => {
    const error = await errorOf(pay({ payment_method: card }));
    expect(error).toMatchObject({ type: 'StripeCardError', statusCode: 402, code, decline_code: decline });
    const intent = error.payment_intent as Stripe.PaymentIntent;
    expect(intent).toMatchObject({
      status: 'requires_payment_method',
      payment_method: null,
      amount_received: 0,
    });
    expect(intent.last_payment_error).toMatchObject({ code, decline_code: decline, charge: error.charge });
    expect(error.payment_method?.id).toMatch(/^pm_/);
    await settled(intent.id, 'payment_intent.payment_failed');
    expect(sandbox.typesOf(intent.id)).not.toContain('payment_intent.succeeded');
    const again = await sandbox.stripe.paymentIntents.confirm(intent.id, { payment_method: 'pm_card_visa' });
    expect(again.status).toBe('succeeded');
  });

  it('an expired card names the month, like the recorded answer', async () => {
    const error = await errorOf(pay({ payment_method: 'pm_card_chargeDeclinedExpiredCard' }));
    expect(error.raw).toMatchObject({
      param: 'exp_month',
      advice_code: 'confirm_card_data',
      network_decline_code: '54',
      network_advice_code: '03',
    });
  });

  it('a disputed card is paid, then disputed', async () => {
    const intent = await pay({ payment_method: 'pm_card_createDispute' });
    expect(intent.status).toBe('succeeded');
    await settled(intent.id, 'charge.dispute.funds_withdrawn');
  });
});

describe('the bank’s question', () => {
  it.each([
    ['pm_card_authenticationRequiredOnSetup', 'complete', 'succeeded', undefined],
    ['pm_card_authenticationRequired', 'complete', 'succeeded', undefined],
    ['pm_card_threeDSecure2Required', 'complete', 'succeeded', undefined],
    ['pm_card_threeDSecureRequiredChargeDeclined', 'complete', 'requires_payment_method', 'card_declined'],
    [
      'pm_card_threeDSecure2Required',
      'fail',
      'requires_payment_method',
      'payment_intent_authentication_failure',
    ],
  ])('%s, %s: %s %s', async (card, answer, status, code) => {
    const intent = await pay({ payment_method: card });
    expect(intent).toMatchObject({ status: 'requires_action', next_action: { type: 'use_stripe_sdk' } });
    await sandbox.control(`3ds/${answer}`, { intent: intent.id });
    const after = await sandbox.stripe.paymentIntents.retrieve(intent.id);
    expect(after.status).toBe(status);
    expect(after.last_payment_error?.code).toBe(code);
    await settled(
      intent.id,
      status === 'succeeded' ? 'payment_intent.succeeded' : 'payment_intent.payment_failed',
    );
    await expect(sandbox.control(`3ds/${answer}`, { intent: intent.id })).rejects.toThrow(
      'No open 3-D Secure question',
    );
  });

  const manual = (card = 'pm_card_authenticationRequired') =>
    pay({ payment_method: card, confirmation_method: 'manual' });
  const lapsed = { status: 'requires_payment_method', last_payment_error: { code: expect.any(String) } };

  it('with manual confirmation waits for the shop after the answer, without an event, and not for the page', async () => {
    const { id, client_secret } = await manual();
    const how = { client_secret: client_secret!, payment_method: 'pm_card_visa' };
    const page = async () => (await errorOf(sandbox.publishable.paymentIntents.confirm(id, how))).statusCode;
    expect(await page()).toBe(400);
    await sandbox.control('3ds/complete', { intent: id });
    expect(await page()).toBe(400);
    const answered = await sandbox.stripe.paymentIntents.retrieve(id);
    expect(answered).toMatchObject({ status: 'requires_confirmation', latest_charge: null });
    expect(sandbox.typesOf(id).at(-1)).toBe('payment_intent.requires_action');
    expect(await sandbox.stripe.paymentIntents.confirm(id)).toMatchObject({ status: 'succeeded' });
  });

  it('with manual confirmation asks again about another card', async () => {
    const { id } = await manual();
    await sandbox.control('3ds/complete', { intent: id });
    const other = await sandbox.stripe.paymentIntents.confirm(id, {
      payment_method: 'pm_card_authenticationRequired',
    });
    expect(other.status).toBe('requires_action');
  });

  it.each(['open', 'answered'])(
    'with manual confirmation lapses an hour after the %s question',
    async how => {
      const { id } = await manual();
      if (how === 'answered') await sandbox.control('3ds/complete', { intent: id });
      await sandbox.control('clock/advance', { ms: 60 * 60_000 });
      expect(await sandbox.stripe.paymentIntents.retrieve(id)).toMatchObject(lapsed);
    },
  );

  it('is asked of an optional card only if the shop wants it', async () => {
    expect((await pay({ payment_method: 'pm_card_threeDSecureOptional' })).status).toBe('succeeded');
    const asked = await pay({
      payment_method: 'pm_card_threeDSecureOptional',
      payment_method_options: { card: { request_three_d_secure: 'any' } },
    });
    expect(asked.status).toBe('requires_action');
  });

  it('returns to the shop from a standalone page', async () => {
    const intent = await pay({
      payment_method: 'pm_card_threeDSecure2Required',
      return_url: 'http://127.0.0.1:1/back',
    });
    const page = intent.next_action!.redirect_to_url!.url!;
    expect((await fetch(page.slice(0, -1))).status).toBe(404);
    expect(await (await fetch(page)).text()).toContain('3ds-complete');
    const { redirect } = (await (await fetch(`${page}/complete`, { method: 'POST' })).json()) as {
      redirect: string;
    };
    expect(new URL(redirect).searchParams.get('redirect_status')).toBe('succeeded');
    expect((await fetch(`${page}/complete`, { method: 'POST' })).status).toBe(404);
  });
});

describe('states', () => {
  it('a paid payment is not confirmed or canceled again; the refusal contains it', async () => {
    const intent = await pay({ payment_method: 'pm_card_visa' });
    for (const call of [
      sandbox.stripe.paymentIntents.confirm(intent.id, { payment_method: 'pm_card_visa' }),
      sandbox.stripe.paymentIntents.cancel(intent.id),
      sandbox.stripe.paymentIntents.update(intent.id, { amount: 5_000 }),
    ]) {
      const error = await errorOf(call);
      expect(error).toMatchObject({ statusCode: 400, code: 'payment_intent_unexpected_state' });
      expect(error.payment_intent).toMatchObject({ id: intent.id, status: 'succeeded' });
    }
    const noted = await sandbox.stripe.paymentIntents.update(intent.id, { metadata: { note: 'x' } });
    expect(noted.metadata).toEqual({ note: 'x' });
  });

  it('a canceled payment takes no money', async () => {
    const intent = await pay({ confirm: false });
    expect(intent.status).toBe('requires_payment_method');
    const canceled = await sandbox.stripe.paymentIntents.cancel(intent.id, {
      cancellation_reason: 'abandoned',
    });
    expect(canceled).toMatchObject({ status: 'canceled', cancellation_reason: 'abandoned' });
    const error = await errorOf(
      sandbox.stripe.paymentIntents.confirm(intent.id, { payment_method: 'pm_card_visa' }),
    );
    expect(error.code).toBe('payment_intent_unexpected_state');
  });

  it('a payment without a method cannot be confirmed', async () => {
    const intent = await pay({ confirm: false });
    expect((await errorOf(sandbox.stripe.paymentIntents.confirm(intent.id))).message).toContain(
      'missing a payment method',
    );
  });
});

describe('PromptPay', () => {
  const promptPay = (more = {}) =>
    pay({
      allowed_payment_method_types: ['promptpay'],
      payment_method_data: { type: 'promptpay', billing_details: { email: 'ann@example.com' } },
      ...more,
    });

  it('shows a code, and is paid when it is scanned', async () => {
    const intent = await promptPay();
    expect(intent.status).toBe('requires_action');
    const code = intent.next_action!.promptpay_display_qr_code!;
    expect(code.data).toMatch(/^000201.*5303764.*5406299\.00.*5802TH6304[0-9A-F]{4}$/);
    expect(await (await fetch(code.image_url_svg)).text()).toContain('<svg');
    await sandbox.control('promptpay/pay', { intent: intent.id });
    await settled(intent.id, 'payment_intent.succeeded');
    await expect(sandbox.control('promptpay/pay', { intent: intent.id })).rejects.toThrow(
      'waits for no PromptPay',
    );
  });

  it('expires, and takes nothing after cancellation', async () => {
    const intent = await promptPay();
    await sandbox.control('promptpay/expire', { intent: intent.id });
    const expired = await sandbox.stripe.paymentIntents.retrieve(intent.id);
    expect(expired.last_payment_error?.code).toBe('payment_intent_payment_attempt_expired');
    await sandbox.stripe.paymentIntents.cancel(intent.id);
    await expect(sandbox.control('promptpay/pay', { intent: intent.id })).rejects.toThrow();
  });

  it('requires baht and an e-mail address', async () => {
    expect((await errorOf(promptPay({ currency: 'usd' }))).message).toContain('promptpay');
    const error = await errorOf(promptPay({ payment_method_data: { type: 'promptpay' } }));
    expect(error).toMatchObject({ statusCode: 400, param: 'billing_details[email]' });
  });
});

it('every answer and event fits the SDK’s types', { timeout: 240_000 }, async () => {
  const check = createStripeChecker();
  expect(sandbox.emitted.length).toBeGreaterThan(100);
  expect([...new Set(sandbox.emitted.flatMap(({ body, view }) => check(body, view)))]).toEqual([]);
  expect(sandbox.refused).toEqual([]);
});
