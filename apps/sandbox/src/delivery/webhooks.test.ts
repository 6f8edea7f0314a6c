import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { eventually, type Harness, startHarness } from '../testing/harness.ts';
import type { Delivery } from './queue.ts';

let sandbox: Harness;
beforeAll(async () => {
  sandbox = await startHarness();
});
afterEach(() => sandbox.control('faults', undefined, 'DELETE'));
afterAll(() => sandbox.stop());

const newCustomer = () => sandbox.stripe.customers.create({ email: 'ann@example.com' });
const received = (id: string) => sandbox.typesOf(id);
const deliveryOf = async (id: string) => {
  const event = (await sandbox.stripe.events.list({ limit: 100 })).data.find(
    one => (one.data.object as { id: string }).id === id,
  );
  const { deliveries } = await sandbox.control<{ deliveries: Delivery[] }>('deliveries');
  return deliveries.find(one => one.event === event?.id)!;
};
const faultOnCreated = (what: unknown) =>
  sandbox.fault({ provider: 'stripe', event: 'customer.created' }, what);

describe('webhooks', () => {
  it('are awaited by catchUp: each was answered then', async () => {
    const customer = await newCustomer();
    await sandbox.control('deliveries/settled');
    expect(received(customer.id)).toEqual(['customer.created']);
    expect((await deliveryOf(customer.id)).state).toBe('delivered');
  });

  it('arrive at once, signed, with the cause of the event', async () => {
    const customer = await sandbox.stripe.customers.create({}, { idempotencyKey: 'cust-7' });
    await eventually(() => received(customer.id)).toEqual(['customer.created']);
    const event = sandbox.events.find(one => (one.data.object as { id: string }).id === customer.id)!;
    expect(event.request).toEqual({ id: customer.lastResponse.requestId, idempotency_key: 'cust-7' });
    expect(event.livemode).toBe(false);
    expect(sandbox.refused).toEqual([]);
  });

  it('are retried until the shop accepts them', async () => {
    sandbox.answers.push(500, 503);
    const customer = await newCustomer();
    await eventually(() => received(customer.id)).toEqual(['customer.created']);
    const { tries, state } = await deliveryOf(customer.id);
    expect(tries.map(one => one.status)).toEqual([500, 503, 200]);
    expect(tries[1]!.at - tries[0]!.at).toBeGreaterThanOrEqual(150);
    expect(state).toBe('delivered');
  });

  it('about one payment arrive in order, also under load', async () => {
    const intents = await Promise.all(
      Array.from({ length: 20 }, () =>
        sandbox.stripe.paymentIntents.create({
          amount: 700,
          currency: 'usd',
          payment_method: 'pm_card_visa',
          confirm: true,
          return_url: 'http://127.0.0.1/',
        }),
      ),
    );
    for (const intent of intents) {
      await eventually(() => received(intent.id)).toHaveLength(4);
      expect(received(intent.id).slice(0, 3)).toEqual([
        'payment_intent.created',
        'charge.succeeded',
        'payment_intent.succeeded',
      ]);
    }
  });
});

describe('faults of delivery', () => {
  it('duplicate', async () => {
    await faultOnCreated({ duplicate: 2 });
    const customer = await newCustomer();
    await eventually(() => received(customer.id)).toHaveLength(3);
  });

  it('drop: never arrives until it is redelivered', async () => {
    await faultOnCreated('drop');
    const customer = await newCustomer();
    const delivery = await deliveryOf(customer.id);
    expect(delivery).toMatchObject({ state: 'dropped', tries: [] });
    await newCustomer();
    expect(received(customer.id)).toEqual([]);
    await sandbox.control('redeliver', { event: delivery.event });
    await eventually(() => received(customer.id)).toEqual(['customer.created']);
  });

  it('reorder: arrives after the next event', async () => {
    await faultOnCreated('reorder');
    const customer = await newCustomer();
    await sandbox.stripe.customers.update(customer.id, { name: 'Ann' });
    await eventually(() => received(customer.id)).toEqual(['customer.updated', 'customer.created']);
  });

  it('delay', async () => {
    await faultOnCreated({ delay: 150 });
    const start = performance.now();
    const customer = await newCustomer();
    await eventually(() => received(customer.id)).toEqual(['customer.created']);
    expect(performance.now() - start).toBeGreaterThan(100);
  });

  it.each([
    ['badSignature', 'No signatures found matching'],
    ['oldTimestamp', 'Timestamp outside the tolerance zone'],
    ['truncateBody', 'No signatures found matching'],
  ])('%s is refused by the SDK, then sent properly', async (fault, message) => {
    sandbox.refused.length = 0;
    await faultOnCreated(fault);
    const customer = await newCustomer();
    await eventually(() => received(customer.id)).toEqual(['customer.created']);
    expect(sandbox.refused).toHaveLength(1);
    expect(sandbox.refused[0]).toContain(message);
  });

  it('an invalid fault is refused with a reason', async () => {
    await expect(sandbox.fault({ provider: 'stripe', path: 'POST /v1/x' }, 'badSignature')).rejects.toThrow(
      /Invalid/,
    );
  });
});

describe('the whole log', () => {
  it('is sent again, doubled and shuffled', async () => {
    const before = sandbox.events.map(event => event.id);
    const known = new Set(
      (await sandbox.stripe.events.list({ limit: 100 }).autoPagingToArray({ limit: 1_000 })).map(e => e.id),
    );
    const { redelivered } = await sandbox.control<{ redelivered: number }>('redeliver', {
      times: 2,
      shuffle: 'one',
    });
    expect(redelivered).toBe(2 * known.size);
    await eventually(() => sandbox.events.length).toBe(before.length + redelivered);
    const again = sandbox.events.slice(before.length).map(event => event.id);
    expect(new Set(again)).toEqual(known);
    expect(again.filter((id, index) => again.indexOf(id) === index)).not.toEqual([...known].reverse());
  });

  it('is empty after a reset, with the same ids for the same seed', async () => {
    const make = async () => {
      await sandbox.control('reset', { seed: 'one' });
      return (await newCustomer()).id;
    };
    const first = await make();
    expect(await make()).toBe(first);
    expect((await sandbox.stripe.customers.list()).data).toHaveLength(1);
    expect(await sandbox.control('ledger')).toEqual({
      payments: [],
      charges: [],
      refunds: [],
      disputes: [],
      totals: {},
      balances: {},
    });
  });
});
