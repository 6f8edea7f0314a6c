import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Ledger } from '../control/ledger.ts';
import { errorOf, eventually, type Harness, PUBLISHABLE, startHarness } from '../testing/harness.ts';

let sandbox: Harness;
beforeAll(async () => {
  sandbox = await startHarness();
});
afterEach(() => sandbox.control('faults', undefined, 'DELETE'));
afterAll(() => sandbox.stop());

let keys = 0;
const newKey = () => `pa-${++keys}`;
const pay = (card: string, idempotencyKey: string, client = sandbox.stripe, amount = 29_900) =>
  client.paymentIntents.create(
    {
      amount,
      currency: 'thb',
      allowed_payment_method_types: ['card'],
      confirm: true,
      payment_method: card,
      metadata: { attempt: idempotencyKey },
    },
    { idempotencyKey },
  );
const chargesOf = async (key: string) =>
  (await sandbox.control<Ledger>('ledger')).charges.filter(charge => charge.metadata.attempt === key);
const PAYMENTS = { provider: 'stripe', path: 'POST /v1/payment_intents' };

describe('an idempotency key', () => {
  it('returns the first answer again and charges once', async () => {
    const key = newKey();
    const first = await pay('pm_card_visa', key);
    const second = await pay('pm_card_visa', key);
    expect(second).toEqual(first);
    expect(first.lastResponse.headers['idempotent-replayed']).toBeUndefined();
    expect(second.lastResponse.headers['idempotent-replayed']).toBe('true');
    expect(second.lastResponse.headers['original-request']).toBe(first.lastResponse.requestId);
    expect(await chargesOf(key)).toHaveLength(1);
  });

  it('replays a decline', async () => {
    const key = newKey();
    const first = await errorOf(pay('pm_card_visa_chargeDeclined', key));
    const second = await errorOf(pay('pm_card_visa_chargeDeclined', key));
    expect(second).toMatchObject({ statusCode: 402, charge: first.charge });
    expect(second.headers?.['idempotent-replayed']).toBe('true');
  });

  it('replays a fault of the provider, before the charge and after it', async () => {
    for (const [fault, charges] of [
      ['500', 0],
      ['500AfterCommit', 1],
    ] as const) {
      const key = newKey();
      await sandbox.fault(PAYMENTS, fault);
      expect((await errorOf(pay('pm_card_visa', key))).statusCode).toBe(500);
      const again = await errorOf(pay('pm_card_visa', key));
      expect(again).toMatchObject({ statusCode: 500, type: 'StripeAPIError' });
      expect(again.headers?.['idempotent-replayed']).toBe('true');
      expect(await chargesOf(key)).toHaveLength(charges);
    }
  });

  it('is refused for other parameters and for another call', async () => {
    const key = newKey();
    await pay('pm_card_visa', key);
    const other = await errorOf(pay('pm_card_visa', key, sandbox.stripe, 5_000));
    expect(other).toMatchObject({ statusCode: 400, type: 'StripeIdempotencyError' });
    const call = await errorOf(sandbox.stripe.customers.create({}, { idempotencyKey: key }));
    expect(call.message).toContain("('/v1/payment_intents' vs '/v1/customers')");
  });

  it('is free again after invalid parameters', async () => {
    const key = newKey();
    expect((await errorOf(pay('pm_card_visa', key, sandbox.stripe, 0))).code).toBe(
      'parameter_invalid_integer',
    );
    expect((await pay('pm_card_visa', key)).status).toBe('succeeded');
  });

  it('in use by a concurrent call is a conflict', async () => {
    const key = newKey();
    await sandbox.fault(PAYMENTS, { delayBefore: 300 });
    const slow = pay('pm_card_visa', key);
    await eventually(() => sandbox.control('faults')).toEqual({ faults: [], struck: { delayBefore: 1 } });
    expect(await errorOf(pay('pm_card_visa', key))).toMatchObject({
      statusCode: 409,
      code: 'idempotency_key_in_use',
    });
    expect((await slow).status).toBe('succeeded');
    expect(await chargesOf(key)).toHaveLength(1);
  });

  it('is forgotten after a day', async () => {
    const key = newKey();
    const first = await pay('pm_card_visa', key);
    await sandbox.control('clock/advance', { ms: 25 * 3_600_000 });
    expect((await pay('pm_card_visa', key)).id).not.toBe(first.id);
  });
});

describe('a connection that breaks', () => {
  it('after the charge: the SDK retries and one charge is made', async () => {
    const key = newKey();
    await sandbox.fault(PAYMENTS, 'commitThenDropConnection');
    const intent = await pay('pm_card_visa', key, sandbox.retrying);
    expect(intent.lastResponse.headers['idempotent-replayed']).toBe('true');
    expect(await chargesOf(key)).toHaveLength(1);
  });

  it.each(['drop', '409'])('by %s: the SDK retries and one charge is made', async fault => {
    const key = newKey();
    await sandbox.fault(PAYMENTS, fault);
    expect((await pay('pm_card_visa', key, sandbox.retrying)).status).toBe('succeeded');
    expect(await chargesOf(key)).toHaveLength(1);
  });

  it('in the middle of the answer: the shop retries with its key and one charge is made', async () => {
    const key = newKey();
    await sandbox.fault(PAYMENTS, 'truncateBody');
    // The SDK does not retry by itself once an answer has started.
    expect((await errorOf(pay('pm_card_visa', key, sandbox.retrying))).type).toBe('StripeConnectionError');
    expect((await pay('pm_card_visa', key)).status).toBe('succeeded');
    expect(await chargesOf(key)).toHaveLength(1);
  });

  it('without an answer: the caller’s timeout ends it, nothing was charged', async () => {
    const key = newKey();
    await sandbox.fault(PAYMENTS, 'hang');
    const error = await errorOf(
      sandbox.stripe.paymentIntents.create(
        {
          amount: 29_900,
          currency: 'thb',
          allowed_payment_method_types: ['card'],
          confirm: true,
          payment_method: 'pm_card_visa',
          metadata: { attempt: key },
        },
        { idempotencyKey: key, timeout: 200 },
      ),
    );
    expect(error.type).toBe('StripeConnectionError');
    expect(await chargesOf(key)).toEqual([]);
  });

  it('too many requests are refused as such', async () => {
    await sandbox.fault({ provider: 'stripe', path: '/v1/*' }, '429');
    expect(await errorOf(sandbox.stripe.customers.list())).toMatchObject({
      statusCode: 429,
      type: 'StripeRateLimitError',
    });
    await sandbox.stripe.customers.list();
  });
});

describe('keys', () => {
  it('a missing or wrong key is refused, and not repeated', async () => {
    expect((await fetch(`${sandbox.url}/v1/customers`)).status).toBe(401);
    const wrong = await fetch(`${sandbox.url}/v1/customers`, {
      headers: { authorization: 'Bearer sk_test_wrong_key_1234' },
    });
    expect(wrong.status).toBe(401);
    expect(await wrong.text()).not.toContain('sk_test_wrong_key_1234');
  });

  it('the publishable key creates cards, and sees an intent only with its secret', async () => {
    expect(await errorOf(sandbox.publishable.customers.list())).toMatchObject({
      statusCode: 403,
      code: 'secret_key_required',
    });
    expect(
      (await errorOf(sandbox.publishable.paymentIntents.create({ amount: 1, currency: 'usd' }))).statusCode,
    ).toBe(403);
    const intent = await sandbox.stripe.paymentIntents.create({
      amount: 700,
      currency: 'usd',
      metadata: { secret: 'x' },
    });
    expect((await errorOf(sandbox.publishable.paymentIntents.retrieve(intent.id))).param).toBe(
      'client_secret',
    );
    const other = sandbox.publishable.paymentIntents.retrieve(intent.id, {
      client_secret: `${intent.id}_secret_x`,
    });
    expect((await errorOf(other)).param).toBe('client_secret');
    const seen = await sandbox.publishable.paymentIntents.retrieve(intent.id, {
      client_secret: intent.client_secret!,
    });
    expect(seen).toMatchObject({ id: intent.id, amount: 700 });
    expect(seen).not.toHaveProperty('metadata');
    expect(seen).not.toHaveProperty('customer');
  });

  it('S41 a card number is accepted from a browser only', async () => {
    const card = { number: '4242424242424242', exp_month: 12, exp_year: 2040, cvc: '123' };
    const refused = await errorOf(sandbox.stripe.paymentMethods.create({ type: 'card', card }));
    expect(refused.message).toContain('generally unsafe');
    const made = await sandbox.publishable.paymentMethods.create({ type: 'card', card });
    expect(made.card).toMatchObject({ last4: '4242', exp_year: 2040, brand: 'visa' });
    const asked = await fetch(`${sandbox.url}/v1/payment_methods`, {
      method: 'POST',
      body: new URLSearchParams({ key: PUBLISHABLE, type: 'card', 'card[token]': 'tok_visa' }),
    });
    expect(asked.headers.get('access-control-allow-origin')).toBe('*');
    expect(asked.status).toBe(200);
  });

  it.each([
    [{ number: '4242424242424241' }, 'incorrect_number'],
    [{ exp_month: 13 }, 'invalid_expiry_month'],
    [{ exp_year: 2020 }, 'invalid_expiry_year'],
    [{ cvc: '1' }, 'invalid_cvc'],
  ])('card data %s is refused with %s', async (wrong, code) => {
    const card = { number: '4242424242424242', exp_month: 12, exp_year: 2040, cvc: '123', ...wrong };
    expect(await errorOf(sandbox.publishable.paymentMethods.create({ type: 'card', card }))).toMatchObject({
      statusCode: 402,
      code,
    });
  });

  it('a number that is no test card is declined', async () => {
    const card = { number: '4111111111111111', exp_month: 12, exp_year: 2040, cvc: '123' };
    const method = await sandbox.publishable.paymentMethods.create({ type: 'card', card });
    expect(await errorOf(pay(method.id, newKey()))).toMatchObject({ decline_code: 'test_mode_live_card' });
  });

  it('the control interface requires its own token', async () => {
    const refused = await fetch(`${sandbox.url}/_sbx/ledger`, {
      headers: { authorization: 'Bearer sk_test_harness' },
    });
    expect(refused.status).toBe(401);
  });
});

describe('invalid calls are refused with Stripe’s messages', () => {
  const raw = async (path: string, body: string) => {
    const answer = await fetch(`${sandbox.url}${path}`, {
      method: 'POST',
      headers: {
        authorization: 'Bearer sk_test_harness',
        'content-type': 'application/x-www-form-urlencoded',
      },
      body,
    });
    return [answer.status, ((await answer.json()) as { error: object }).error] as const;
  };
  it.each([
    [
      'amount=700&currency=usd&colour=red',
      { code: 'parameter_unknown', message: 'Received unknown parameter: colour' },
    ],
    ['currency=usd', { code: 'parameter_missing', message: 'Missing required param: amount.' }],
    ['amount=7.5&currency=usd', { code: 'parameter_invalid_integer', message: 'Invalid integer: 7.5' }],
    ['amount=700&currency=usd&confirm=yes', { message: 'Invalid boolean: yes' }],
    ['amount=700&currency=xyz', { param: 'currency' }],
    ['amount=10&currency=usd', { code: 'amount_too_small' }],
    // The minimum of a currency without its own is half a dollar's worth.
    ['amount=500&currency=krw', { code: 'amount_too_small' }],
    [
      'amount=2000&currency=thb&payment_method_data[type]=promptpay&payment_method_data[billing_details][email]=a@b.1',
      { code: 'email_invalid', message: 'Invalid email address: a@b.1' },
    ],
    ['amount=700&currency=', { code: 'parameter_invalid_empty', param: 'currency' }],
    [
      'amount=700&currency=usd&customer=cus_x',
      { code: 'resource_missing', message: "No such customer: 'cus_x'" },
    ],
    ['amount=700&currency=usd&setup_future_usage=x', { param: 'setup_future_usage' }],
    ['amount=700&currency=usd&expand[]=nothing', { param: 'expand' }],
  ])('%s', async (body, expected) => {
    const [status, error] = await raw('/v1/payment_intents', body);
    expect([400, 404]).toContain(status);
    expect(error).toMatchObject({ type: 'invalid_request_error', ...expected });
  });

  it('an unknown payment, and an unknown address', async () => {
    const error = await errorOf(sandbox.stripe.paymentIntents.retrieve('pi_x'));
    expect(error).toMatchObject({
      statusCode: 404,
      code: 'resource_missing',
      message: "No such payment_intent: 'pi_x'",
    });
    expect((await raw('/v1/sofas', ''))[0]).toBe(404);
  });

  it('S61 refuses DNS rebinding by a foreign page', async () => {
    const { request } = await import('node:http');
    const status = await new Promise(resolve => {
      request(`${sandbox.url}/mail`, { headers: { host: 'evil.example' } }, answer =>
        resolve(answer.statusCode),
      ).end();
    });
    expect(status).toBe(421);
  });
});
