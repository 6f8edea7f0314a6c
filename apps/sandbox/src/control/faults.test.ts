import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { errorOf, eventually, type Harness, startHarness } from '../testing/harness.ts';
import type { Ledger } from './ledger.ts';

let sandbox: Harness;
beforeAll(async () => {
  sandbox = await startHarness();
});
afterEach(() => sandbox.control('faults', undefined, 'DELETE'));
afterAll(() => sandbox.stop());

const PAYMENTS = { provider: 'stripe', path: 'POST /v1/payment_intents' };
const pay = (idempotencyKey: string, options: { timeout?: number } = {}) =>
  sandbox.stripe.paymentIntents.create(
    {
      amount: 29_900,
      currency: 'thb',
      allowed_payment_method_types: ['card'],
      confirm: true,
      payment_method: 'pm_card_visa',
      metadata: { attempt: idempotencyKey },
    },
    { idempotencyKey, ...options },
  );
const chargesOf = async (key: string) =>
  (await sandbox.control<Ledger>('ledger')).charges.filter(charge => charge.metadata.attempt === key);

describe('a slow answer', () => {
  it('delayAfterCommit: the charge is made and the webhook arrives before the answer', async () => {
    await sandbox.fault(PAYMENTS, { delayAfterCommit: 5_000 });
    let answered = false;
    const slow = pay('late-1').finally(() => {
      answered = true;
    });
    await eventually(() => sandbox.events.map(event => event.type)).toContain('payment_intent.succeeded');
    expect(await chargesOf('late-1')).toHaveLength(1);
    expect(answered).toBe(false);
    expect((await slow).status).toBe('succeeded');
  });

  it('delayAfterCommit: a caller that times out and repeats the key gets the first answer', async () => {
    await sandbox.fault(PAYMENTS, { delayAfterCommit: 5_000 });
    expect((await errorOf(pay('late-2', { timeout: 2_000 }))).type).toBe('StripeConnectionError');
    const again = await pay('late-2');
    expect(again.lastResponse.headers['idempotent-replayed']).toBe('true');
    expect(await chargesOf('late-2')).toHaveLength(1);
  });

  it('delayBefore: nothing is done yet', async () => {
    await sandbox.fault(PAYMENTS, { delayBefore: 5_000 });
    expect((await errorOf(pay('early-1', { timeout: 300 }))).type).toBe('StripeConnectionError');
    expect(await chargesOf('early-1')).toEqual([]);
  });
});

describe('a late list', () => {
  const late = (list: string, times?: number) =>
    sandbox.fault({ provider: 'stripe', list }, { late: 60_000 }, { times });

  it('omits new objects, while a GET by id finds them', async () => {
    const customer = await sandbox.stripe.customers.create({});
    const make = () =>
      sandbox.stripe.paymentIntents.create({ amount: 700, currency: 'usd', customer: customer.id });
    const old = await make();
    await sandbox.control('clock/advance', { ms: 61_000 });
    const fresh = await make();
    const listed = async () =>
      (await sandbox.stripe.paymentIntents.list({ customer: customer.id })).data.map(one => one.id);

    await late('/v1/payment_intents', 2);
    expect(await listed()).toEqual([old.id]);
    expect((await sandbox.stripe.paymentIntents.retrieve(fresh.id)).id).toBe(fresh.id);
    await sandbox.control('clock/advance', { ms: 61_000 });
    expect(await listed()).toEqual([fresh.id, old.id]);
  });

  it('ends when the fault is used up', async () => {
    const { id } = await sandbox.stripe.paymentIntents.create({ amount: 700, currency: 'usd' });
    await late('/v1/payment_intents');
    expect((await sandbox.stripe.paymentIntents.list({ limit: 1 })).data[0]?.id).not.toBe(id);
    expect((await sandbox.stripe.paymentIntents.list({ limit: 1 })).data[0]?.id).toBe(id);
  });

  it('hides refunds and events too', async () => {
    const intent = await pay('late-3');
    const refund = await sandbox.stripe.refunds.create({ payment_intent: intent.id });
    await late('/v1/*', 2);
    expect((await sandbox.stripe.refunds.list({ payment_intent: intent.id })).data).toEqual([]);
    const { data } = await sandbox.stripe.events.list({ type: 'refund.created', limit: 1 });
    expect(data.map(event => (event.data.object as { id: string }).id)).not.toContain(refund.id);
    expect((await sandbox.stripe.refunds.list({ payment_intent: intent.id })).data).toHaveLength(1);
  });
});

describe('a fault by probability', () => {
  const list = () =>
    sandbox.stripe.customers.list().then(
      () => '.',
      () => 'x',
    );
  const run = async (rules: [what: string, probability: number, seed: string][]) => {
    await sandbox.control('faults', undefined, 'DELETE');
    for (const [what, probability, seed] of rules) {
      await sandbox.fault({ provider: 'stripe', path: 'GET /v1/customers' }, what, { probability, seed });
    }
    let struck = '';
    for (let call = 0; call < 60; call++) struck += await list();
    return struck;
  };
  const struck = async () => (await sandbox.control<{ struck: Record<string, number> }>('faults')).struck;

  it('strikes with the given frequency, and for the same calls with the same seed', async () => {
    const first = await run([['429', 0.3, 'one']]);
    expect(await struck()).toEqual({ 429: first.split('x').length - 1 });
    expect(first.split('x').length - 1).toBeGreaterThan(8);
    expect(first.split('x').length - 1).toBeLessThan(30);
    expect(await run([['429', 0.3, 'one']])).toBe(first);
    expect(await run([['429', 0.3, 'two']])).not.toBe(first);
  });

  it('leaves the call to the next fault when it does not strike', async () => {
    expect(
      await run([
        ['429', 0.5, 'one'],
        ['409', 1, 'one'],
      ]),
    ).toBe('x'.repeat(60));
    const counted = await struck();
    expect(counted['429']! + counted['409']!).toBe(60);
    expect(counted['429']).toBeGreaterThan(10);
  });

  it('needs a seed, and a seed needs a probability', async () => {
    const fault = (more: object) => sandbox.fault({ provider: 'mail' }, 'reject', more);
    await expect(fault({ probability: 0.5 })).rejects.toThrow('belong together');
    await expect(fault({ seed: 'one' })).rejects.toThrow('belong together');
    await expect(fault({ probability: 0, seed: 'one' })).rejects.toThrow();
  });
});
