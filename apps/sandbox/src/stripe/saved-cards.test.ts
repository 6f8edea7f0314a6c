import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorOf, eventually, type Harness, startHarness } from '../testing/harness.ts';
import { paymentSteps } from '../testing/stripe-payments.ts';
import { createStripeChecker } from '../testing/stripe-schema.ts';

let sandbox: Harness;
beforeAll(async () => {
  sandbox = await startHarness();
});
afterAll(() => sandbox.stop());

const { settled, customerWith, pay } = paymentSteps(() => sandbox);

describe('a saved card', () => {
  it.each([
    ['pm_card_chargeCustomerFail', undefined],
    ['pm_card_authenticationRequired', undefined],
    ['pm_card_visa_chargeDeclinedInsufficientFunds', 'insufficient_funds'],
  ])('%s is saved with refusal %s', async (card, decline) => {
    const customer = await sandbox.stripe.customers.create({});
    const attempt = sandbox.stripe.paymentMethods.attach(card, { customer: customer.id });
    if (decline) expect(await errorOf(attempt)).toMatchObject({ statusCode: 402, decline_code: decline });
    else expect((await attempt).customer).toBe(customer.id);
  });

  it.each([
    ['pm_card_visa', undefined],
    ['pm_card_authenticationRequiredSetupForOffSession', undefined],
    ['pm_card_authenticationRequiredOnSetup', 'authentication_required'],
    ['pm_card_authenticationRequired', 'authentication_required'],
    ['pm_card_chargeCustomerFail', 'generic_decline'],
  ])('%s renews without the customer, refusal: %s', async (card, decline) => {
    const { customer, method } = await customerWith(card);
    const renewal = pay({ customer, payment_method: method, off_session: true });
    if (!decline) {
      expect((await renewal).status).toBe('succeeded');
      return;
    }
    const error = await errorOf(renewal);
    expect(error).toMatchObject({ statusCode: 402, decline_code: decline });
    expect(error.payment_method?.id).toBe(method);
    expect(error.payment_intent?.status).toBe('requires_payment_method');
  });

  it.each([
    ['pm_card_authenticationRequiredOnSetup', 'succeeded'],
    ['pm_card_authenticationRequired', 'authentication_required'],
    ['pm_card_authenticationRequiredChargeDeclinedInsufficientFunds', 'insufficient_funds'],
  ])('%s, set up with the bank’s consent, then renews with: %s', async (card, expected) => {
    const customer = await sandbox.stripe.customers.create({});
    const setup = await sandbox.stripe.setupIntents.create({
      customer: customer.id,
      payment_method: card,
      allowed_payment_method_types: ['card'],
      confirm: true,
    });
    expect(setup.status).toBe('requires_action');
    await sandbox.control('3ds/complete', { intent: setup.id });
    const done = await sandbox.stripe.setupIntents.retrieve(setup.id, { expand: ['latest_attempt'] });
    expect(done.status).toBe('succeeded');
    const renewal = pay({
      customer: customer.id,
      payment_method: String(done.payment_method),
      off_session: true,
    });
    if (expected === 'succeeded') expect((await renewal).status).toBe('succeeded');
    else expect((await errorOf(renewal)).raw).toMatchObject({ decline_code: expected });
  });

  it('is refused at once if the shop wants no question, although the customer is present', async () => {
    const { customer, method } = await customerWith('pm_card_authenticationRequired');
    const error = await errorOf(pay({ customer, payment_method: method, error_on_requires_action: true }));
    expect(error).toMatchObject({ statusCode: 402, code: 'authentication_required' });
    expect(error.payment_intent).toMatchObject({ status: 'requires_payment_method', next_action: null });
  });

  it('is charged in a later call with the method given at first', async () => {
    const { customer, method } = await customerWith('pm_card_visa');
    const made = await pay({
      customer,
      payment_method: method,
      confirm: false,
      confirmation_method: 'manual',
    });
    expect(made).toMatchObject({ status: 'requires_confirmation', confirmation_method: 'manual' });
    const paid = await sandbox.stripe.paymentIntents.confirm(made.id, { off_session: true });
    expect(paid).toMatchObject({ status: 'succeeded', payment_method: method });
  });

  it('has one fingerprint for everybody, and is listed with its customer', async () => {
    const first = await customerWith('pm_card_visa');
    const again = await customerWith('pm_card_visa');
    const other = await customerWith('pm_card_mastercard');
    const [a, b, c] = await Promise.all(
      [first, again, other].map(async ({ customer, method }) => {
        const { data } = await sandbox.stripe.customers.listPaymentMethods(customer, { type: 'card' });
        expect(data.map(one => one.id)).toEqual([method]);
        return data[0]!.card!.fingerprint;
      }),
    );
    expect(a).toBe(b);
    expect(a).not.toBe(c);
  });

  it('answers an authentication requested at renewal on the same payment', async () => {
    const { customer, method } = await customerWith('pm_card_authenticationRequired');
    const { payment_intent } = await errorOf(pay({ customer, payment_method: method, off_session: true }));
    const confirmed = await sandbox.stripe.paymentIntents.confirm(payment_intent!.id, {
      payment_method: method,
    });
    expect(confirmed.status).toBe('requires_action');
    await sandbox.control('3ds/complete', { intent: confirmed.id });
    expect((await sandbox.stripe.paymentIntents.retrieve(confirmed.id)).status).toBe('succeeded');
  });

  it('is renewed by its network: another expiry and number, the same id', async () => {
    const { customer, method } = await customerWith('pm_card_visa');
    const before = await sandbox.stripe.paymentMethods.retrieve(method);
    const renew = (more: object) => sandbox.control('cards/renew', { payment_method: method, ...more });
    const expiry = { exp_month: 3, exp_year: 2040 };
    await renew(expiry);
    const later = await sandbox.stripe.paymentMethods.retrieve(method);
    expect(later.card).toEqual({ ...before.card, ...expiry });
    await renew({ ...expiry, number: '4000056655665556' });
    const { card } = await sandbox.stripe.paymentMethods.retrieve(method);
    expect(card).toMatchObject({ ...expiry, brand: 'visa', last4: '5556' });
    expect(card!.fingerprint).not.toBe(before.card!.fingerprint);
    const told = 'payment_method.automatically_updated';
    await eventually(() => sandbox.typesOf(method)).toEqual(['payment_method.attached', told, told]);
    expect((await pay({ customer, payment_method: method })).status).toBe('succeeded');
    await sandbox.stripe.paymentMethods.detach(method);
    await expect(renew(expiry)).rejects.toThrow('Only a card that a customer has saved');
  });

  it('is refused as expired after its last month, until its network renews it', async () => {
    const { customer, method } = await customerWith('pm_card_visa');
    const charge = () => pay({ customer, payment_method: method, off_session: true });
    const { now } = await sandbox.control<{ now: number }>('clock');
    const ends = (months: number) => {
      const last = new Date(now);
      last.setUTCMonth(last.getUTCMonth() + months, 1);
      return sandbox.control('cards/renew', {
        payment_method: method,
        exp_month: last.getUTCMonth() + 1,
        exp_year: last.getUTCFullYear(),
      });
    };
    await ends(0);
    expect((await charge()).status).toBe('succeeded');
    await ends(-1);
    const { code, decline_code } = await errorOf(charge());
    expect([code, decline_code]).toEqual(['expired_card', 'expired_card']);
    await ends(1);
    expect((await charge()).status).toBe('succeeded');
  });

  it('is refused for another customer, and without its customer', async () => {
    const { method } = await customerWith('pm_card_visa');
    const other = await sandbox.stripe.customers.create({});
    expect((await errorOf(pay({ customer: other.id, payment_method: method }))).message).toContain(
      'does not belong to',
    );
    expect((await errorOf(pay({ payment_method: method }))).message).toContain('must provide the customer');
  });

  it('is refused after being used once without a customer, or detached', async () => {
    const once = await pay({ payment_method: 'pm_card_visa' });
    expect((await errorOf(pay({ payment_method: String(once.payment_method) }))).message).toContain(
      'may not be used again',
    );
    const { customer, method } = await customerWith('pm_card_visa');
    await sandbox.stripe.paymentMethods.detach(method);
    expect((await errorOf(sandbox.stripe.paymentMethods.attach(method, { customer }))).message).toContain(
      'may not be used again',
    );
  });

  it('that expires or is declined leaves the setup without a method', async () => {
    const setup = await sandbox.stripe.setupIntents.create({ allowed_payment_method_types: ['card'] });
    const error = await errorOf(
      sandbox.stripe.setupIntents.confirm(setup.id, { payment_method: 'pm_card_chargeDeclinedExpiredCard' }),
    );
    expect(error).toMatchObject({ statusCode: 402, code: 'expired_card' });
    expect(error.setup_intent).toMatchObject({ status: 'requires_payment_method', payment_method: null });
    await settled(setup.id, 'setup_intent.setup_failed');
    const canceled = await sandbox.stripe.setupIntents.cancel(setup.id);
    expect(canceled.status).toBe('canceled');
  });
});
it('every answer and event fits the SDK’s types', { timeout: 240_000 }, async () => {
  const check = createStripeChecker();
  expect(sandbox.emitted.length).toBeGreaterThan(100);
  expect([...new Set(sandbox.emitted.flatMap(({ body, view }) => check(body, view)))]).toEqual([]);
  expect(sandbox.refused).toEqual([]);
});
