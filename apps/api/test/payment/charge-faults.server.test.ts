import { beginOrder, until } from '@fixpoint/testkit/buyer.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { checkDatabase } from '../../src/modules/books/index.ts';
import { payerByPaypal } from '../soak/simulated-customers/customer.ts';
import { subscriber } from '../subscription/renewing.ts';

/** What somebody keeps is charged, and its provider answers that it is broken: nobody knows by that whether it was. */
const PRICE = 199_00;
const CHARGES = { path: 'POST /v1/payment_intents' } as const;
const ORDERS = { provider: 'paypal', path: 'POST /v2/checkout/orders' } as const;
/** Parts of a day before and after the charge, by which every question about it was asked that is asked within a day. */
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
  // Nobody else is charged in what comes next.
  const body = { id: person.subscriptionId, undo: false };
  expect((await (await person.now()).subscription.cancelSubscription({ body })).code).toBe('0000');
}

// Then: the card was charged once more at once, with another key.
describe.each(['500', '500AfterCommit'])(
  'a renewal is taken once from a card that is charged with %s',
  fault => {
    const name = fault.toLowerCase();
    test('and its provider tells of it', async () => {
      const person = await subscriber(shop, `told-${name}`);
      await shop.sandbox.fault(CHARGES, fault);
      await livesOn(person);
      expect((await shop.sandbox.struck())[fault]).toBe(1);
      expect(await person.taken()).toEqual([PRICE, PRICE]);
    });

    test('and nobody tells of it, and lists do not hold it for a while', async () => {
      const person = await subscriber(shop, `untold-${name}`);
      await shop.sandbox.fault({ provider: 'stripe', event: '*' }, 'drop', 20);
      await shop.sandbox.fault(
        { provider: 'stripe', list: '/v1/payment_intents' },
        { late: 20 * 60_000 },
        20,
      );
      await shop.sandbox.fault(CHARGES, fault);
      await livesOn(person);
      expect((await shop.sandbox.struck())[fault]).toBe(1);
      expect(await person.taken()).toEqual([PRICE, PRICE]);
    });
  },
);

// Then: it was asked for by another name for ever, and refused as the second payment of its invoice.
describe.each(['500', '500AfterCommit'])(
  'a renewal is taken once from an account that is charged with %s',
  fault => {
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
  },
);

// Then: it was sent to be closed by its name, charged, and given back.
test('a charge that never reached its provider is not made when the renewal is turned off', async () => {
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
  expect(await person.taken()).toEqual([PRICE]);
  expect(await renewal()).toMatchObject({ status: 'closed' });
});

test('who presses again pays once by the account that he keeps', async () => {
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
