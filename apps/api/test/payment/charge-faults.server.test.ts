import { beginOrder, until } from '@fixpoint/testkit/buyer.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { variants } from '@fixpoint/testkit/test-gate.ts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { checkDatabase } from '../../src/modules/books/index.ts';
import { payerByPaypal } from '../soak/simulated-customers/customer.ts';
import { subscriber } from '../subscription/renewing.ts';

/** A saved method is charged while its provider answers with errors, so that the outcome is unknown. */
const PRICE = 199_00;
const CHARGES = { path: 'POST /v1/payment_intents' } as const;
const ORDERS = { provider: 'paypal', path: 'POST /v2/checkout/orders' } as const;
/** How a provider fails: after it has charged, or before. */
const FAULTS = variants(['500AfterCommit', '500'], 1);
/** Days before and after the charge at which every poll of a day has happened. */
const LOOKS = [-1, -0.99, -0.95, -0.9, -0.8, 0, 0.2];

type Person = Awaited<ReturnType<typeof subscriber>>;
let shop: TestShop;
beforeAll(async () => {
  shop = await startTestShop({}, undefined, undefined, ['jobs']);
});
afterAll(() => shop?.stop());
afterEach(async () => {
  await shop.sandbox.calm();
  expect(await checkDatabase(shop.db, shop.clock.now())).toEqual([]);
});

async function livesOn(person: Person): Promise<void> {
  for (const days of LOOKS) await person.at(days);
  expect((await person.row()).period_start).toEqual(person.firstEnd);
  const [renewal, ...others] = (await person.attempts()).filter(({ unattended }) => unattended);
  expect([renewal!.status, renewal!.unapplied, others]).toEqual(['succeeded', 0, []]);
  // Nobody else is charged afterwards.
  const body = { id: person.subscriptionId, undo: false };
  expect((await (await person.now()).subscription.cancelSubscription({ body })).code).toBe('0000');
}

// Regression: the card was charged again at once with another key.
describe.each(FAULTS)('a renewal is charged once to a card whose provider answers %s', fault => {
  const name = fault.toLowerCase();
  test('when its provider reports it', async () => {
    const person = await subscriber(shop, `told-${name}`);
    await shop.sandbox.fault(CHARGES, fault);
    await livesOn(person);
    expect((await shop.sandbox.struck())[fault]).toBe(1);
    expect(await person.taken()).toEqual([PRICE, PRICE]);
  });

  test('when nobody reports it, and searches do not find it for a while', async () => {
    const person = await subscriber(shop, `untold-${name}`);
    await shop.sandbox.fault({ provider: 'stripe', event: '*' }, 'drop', 20);
    await shop.sandbox.fault({ provider: 'stripe', list: '/v1/payment_intents' }, { late: 20 * 60_000 }, 20);
    await shop.sandbox.fault(CHARGES, fault);
    await livesOn(person);
    expect((await shop.sandbox.struck())[fault]).toBe(1);
    expect(await person.taken()).toEqual([PRICE, PRICE]);
  });
});

// Regression: it was searched by another name forever, and refused as the second payment of its invoice.
describe.each(FAULTS)('a renewal is charged once to a PayPal account whose provider answers %s', fault => {
  test.each([
    ['and PayPal tells of it', 0],
    ['and nobody tells of it', 20],
  ])('%s', async (how, lost) => {
    const email = `${how.split(' ')[1]}-${fault}`.toLowerCase();
    const person = await payerByPaypal(shop, email, 1);
    if (lost) await shop.sandbox.fault({ provider: 'paypal', event: '*' }, 'drop', lost);
    const taken = async () => (await shop.sandbox.paypalLedger()).captures.length;
    const before = await taken();
    await shop.sandbox.fault(ORDERS, fault);
    await livesOn(person);
    expect((await shop.sandbox.struck())[fault]).toBe(1);
    expect(await taken()).toBe(before + 1);
  });
});

// Regression: it was sent to be closed by its name, then charged and refunded.
test('a charge that never reached its provider is not repeated when renewal is turned off', async () => {
  const person = await subscriber(shop, 'turns-off');
  await shop.sandbox.fault(CHARGES, 'drop', 100);
  await person.at(-1);
  expect((await shop.sandbox.struck()).drop).toBeGreaterThan(0);
  const renewal = async () => (await person.attempts()).find(({ unattended }) => unattended);
  expect(await renewal()).toMatchObject({ status: 'created', provider_ref: null });
  const body = { id: person.subscriptionId, undo: false };
  expect((await (await person.now()).subscription.cancelSubscription({ body })).code).toBe('0000');
  await shop.sandbox.calm();
  for (const days of [-0.9, -0.7, -0.5, 0.2]) await person.at(days);
  // A job that failed on a busy machine is tried again a moment later.
  await until(async () => (await renewal())!.status === 'closed', 'the charge is closed');
  expect(await person.taken()).toEqual([PRICE]);
});

test('a customer who presses again pays once by the saved account', async () => {
  const person = await payerByPaypal(shop, 'presses', 1);
  const client = await person.now();
  const { id: accountId } = await until(
    async () => (await client.payment.getCard()).data!.accounts[0],
    'the kept account',
  );
  const { consent } = await beginOrder(client);
  const body = { ...consent, paymentMethod: 'paypal' as const, accountId };
  const taken = async () => (await shop.sandbox.paypalLedger()).captures.length;
  const before = await taken();
  await shop.sandbox.fault({ provider: 'paypal', event: '*' }, 'drop', 20);
  await shop.sandbox.fault(ORDERS, '500AfterCommit');
  expect((await client.order.purchaseLogin({ body })).code).toBe('9901');
  const { data } = await client.order.purchaseLogin({ body });
  expect(data).toMatchObject({ status: expect.stringMatching(/^(paid|fulfilled)$/) });
  expect(await taken()).toBe(before + 1);
});
