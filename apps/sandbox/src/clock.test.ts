import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Delivery } from './delivery/queue.ts';
import { eventually, type Harness, startHarness } from './testing/harness.ts';

const HOUR = 3_600_000;

let time = Date.now();
let sandbox: Harness;
beforeAll(async () => {
  sandbox = await startHarness({ clock: { now: () => new Date(time) } });
});
afterAll(() => sandbox.stop());

/** Moves the test's own clock, and waits for the effects. */
const advance = (ms: number) => {
  time += ms;
  return sandbox.catchUp();
};
const pay = (card: string, idempotencyKey?: string) =>
  sandbox.stripe.paymentIntents.create(
    {
      amount: 29_900,
      currency: 'thb',
      allowed_payment_method_types: ['card'],
      confirm: true,
      payment_method: card,
    },
    { idempotencyKey },
  );
const triesOf = async (type: string) => {
  const { deliveries } = await sandbox.control<{ deliveries: Delivery[] }>('deliveries');
  return deliveries.findLast(one => one.type === type)!;
};

describe("a sandbox with a test's clock", () => {
  it('stands still with it', async () => {
    const intent = await pay('pm_card_visa');
    expect(intent.created).toBe(Math.floor(time / 1000));
    await eventually(() => sandbox.typesOf(intent.id)).toContain('payment_intent.succeeded');
    // Long enough for the booking by the system clock.
    await new Promise(resolve => setTimeout(resolve, 300));
    const charge = await sandbox.stripe.charges.retrieve(String(intent.latest_charge));
    expect(charge.balance_transaction).toBeNull();
  });

  it('runs what is due, and its webhooks are answered when catchUp resolves', async () => {
    const intent = await pay('pm_card_pendingRefund');
    const refund = await sandbox.stripe.refunds.create({ payment_intent: intent.id });
    await advance(2_000);
    expect(sandbox.typesOf(intent.id)).toContain('charge.updated');
    expect(sandbox.typesOf(refund.id)).not.toContain('refund.updated');
    await advance(2_000);
    expect(sandbox.typesOf(refund.id)).toContain('refund.updated');
    expect((await sandbox.stripe.refunds.retrieve(refund.id)).status).toBe('succeeded');
  });

  it('answers by the moved clock even before catchUp', async () => {
    const intent = await pay('pm_card_pendingRefund');
    const refund = await sandbox.stripe.refunds.create({ payment_intent: intent.id });
    time += 4_000;
    expect((await sandbox.stripe.refunds.retrieve(refund.id)).status).toBe('succeeded');
  });

  it('retries a webhook for three days of that clock, then gives up', async () => {
    await advance(HOUR);
    sandbox.answers.push(...Array(200).fill(500));
    await sandbox.stripe.customers.create({});
    await advance(0);
    expect((await triesOf('customer.created')).tries).toHaveLength(1);
    const start = time;
    while ((await triesOf('customer.created')).state === 'waiting') await advance(HOUR / 10);
    const { state, tries } = await triesOf('customer.created');
    sandbox.answers.length = 0;
    expect(state).toBe('givenUp');
    expect(time - start).toBeGreaterThan(72 * HOUR);
    const waits = tries.slice(1).map((one, index) => one.at - tries[index]!.at);
    expect(Math.max(...waits)).toBeLessThanOrEqual(1.1 * HOUR);
    expect(tries.length).toBeGreaterThan(72);
    expect(tries.length).toBeLessThan(90);
  });

  it('keeps an idempotency key for a day of it', async () => {
    const first = await pay('pm_card_visa', 'pa-clock');
    await advance(23 * HOUR);
    expect((await pay('pm_card_visa', 'pa-clock')).id).toBe(first.id);
    await advance(2 * HOUR);
    expect((await pay('pm_card_visa', 'pa-clock')).id).not.toBe(first.id);
  });
});
