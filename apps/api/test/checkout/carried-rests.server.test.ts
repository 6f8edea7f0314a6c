import { beginOrder, until } from '@fixpoint/testkit/buyer.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { checkDatabase } from '../../src/modules/books/index.ts';
import { whileLocked } from '../helpers/while-locked.ts';
import { followed, subscriber } from '../subscription/renewing.ts';
import { buyPlan, orderPlan, previewPlan } from './upgrading.ts';

const DAY_MS = 24 * 60 * 60_000;

/** Rests that no payment method takes, in a shop that takes cards alone. */
let shop: TestShop;
beforeAll(async () => {
  shop = await startTestShop({ RETIRED_METHODS: 'paypal,bitcoin,promptpay' });
  // Two days of the difference to the plan of a subscriber are less than a card takes.
  const price = { price: 320_00, renewal: 320_00 };
  await shop.db
    .updateTable('plan_price')
    .set(price)
    .where('plan_id', '=', 'team')
    .where('currency', '=', 'THB')
    .where('cycle_count', '=', 1)
    .execute();
});
afterEach(async () => {
  expect(await checkDatabase(shop.db, shop.clock.now())).toEqual([]);
});
afterAll(() => shop?.stop());

/** The newest invoice of a subscription for a purpose. */
const invoiceOf = (subscriptionId: string, purpose: 'upgrade' | 'renewal') =>
  shop.db
    .selectFrom('invoice')
    .selectAll()
    .where('subscription_id', '=', subscriptionId)
    .where('purpose', '=', purpose)
    .orderBy('created_at', 'desc')
    .executeTakeFirst();

test('BG2 an upgrade that costs too little to be paid begins at once, and the next renewal collects it', async () => {
  const anna = await subscriber(shop, 'small-rest');
  await anna.at(-1.75);
  const client = await anna.now();
  const offered = (await previewPlan(client, anna, 'team')).data!;
  const rest = offered.total.price;
  expect(rest).toBeLessThan(10_00);
  expect(offered.change!.now).toMatchObject({ carried: rest });
  const charged = await anna.taken();
  const consent = await orderPlan(client, anna, 'team');
  expect((await buyPlan(client, consent)).code).toBe('0000');
  const upgrade = await until(async () => {
    const found = await invoiceOf(anna.subscriptionId, 'upgrade');
    return found?.status === 'paid' && found;
  }, 'the upgrade');
  expect(upgrade).toMatchObject({ total: rest, carried_out: rest });
  expect(await anna.taken()).toEqual(charged);
  const detail = (await client.billing.getBilling({ params: { id: upgrade.id } })).data!;
  expect(detail.settled).toEqual({ prorated: 0, creditUsed: 0, paid: 0, due: 0, carriedOut: rest });

  await anna.at(0);
  const renewal = (await invoiceOf(anna.subscriptionId, 'renewal'))!;
  expect(renewal).toMatchObject({ purpose: 'renewal', status: 'paid', carried_in: rest });
  expect(await anna.taken()).toContain(renewal.total + rest);
  const email = await anna.message(/Carried from earlier invoices/);
  expect(email).toBeTruthy();
});

test('BG2 a rest that nothing collects is written off once the subscription has ended', async () => {
  const ben = await subscriber(shop, 'ends-with-a-rest');
  await ben.at(-1.75);
  const client = await ben.now();
  await buyPlan(client, await orderPlan(client, ben, 'team'));
  await until(async () => (await ben.row()).devices === 15, 'the upgrade');
  await client.subscription.cancelSubscription({ body: { id: ben.subscriptionId } });
  await ben.at(0.1);
  await until(async () => (await ben.row()).status === 'expired', 'the end');
  await ben.at(0.5);
  const upgrade = (await invoiceOf(ben.subscriptionId, 'upgrade'))!;
  expect(upgrade.carried_out).toBeGreaterThan(0);
  expect(upgrade.carried_ended).toBe(upgrade.carried_out);
  const booked = await shop.db
    .selectFrom('ledger_entry')
    .select(['account', 'amount'])
    .where('txn', '=', `carried-ended:${upgrade.id}`)
    .execute();
  expect(booked).toEqual([
    { account: 'goodwill', amount: upgrade.carried_out },
    { account: 'refundsDue', amount: -upgrade.carried_out },
  ]);
});

test('two renewals of one moment collect a rest once, and the end of both writes off a later rest alone', async () => {
  const cleo = await subscriber(shop, 'two-at-once');
  const { customer_id } = await cleo.row();
  const { consent } = await beginOrder(cleo.client);
  await buyPlan(cleo.client, consent);
  const { id: otherId } = await until(
    () =>
      shop.db
        .selectFrom('subscription')
        .select('id')
        .where('customer_id', '=', customer_id)
        .where('id', '<>', cleo.subscriptionId)
        .where('status', '=', 'active')
        .executeTakeFirst(),
    'the second subscription',
  );
  const other = await followed(shop, { ...cleo, subscriptionId: otherId });
  const upgrade = async (of: typeof cleo) => {
    const client = await of.now();
    await buyPlan(client, await orderPlan(client, of, 'team'));
    await until(async () => (await of.row()).devices === 15, 'the upgrade');
    return (await invoiceOf(of.subscriptionId, 'upgrade'))!.carried_out;
  };
  await cleo.at(-1.75);
  const rest = await upgrade(cleo);
  expect(rest).toBeGreaterThan(0);

  const lock = `select pg_advisory_xact_lock(hashtextextended('carried ${customer_id}', 0))`;
  await whileLocked(shop, lock, () => other.at(-0.9), undefined, 2);
  await other.at(0);
  const collected = await Promise.all(
    [cleo, other].map(async of => (await invoiceOf(of.subscriptionId, 'renewal'))!.carried_in),
  );
  expect(collected.toSorted((one, another) => one - another)).toEqual([0, rest]);

  await other.liveUntil(new Date((await other.row()).period_end!.getTime() - 1.75 * DAY_MS));
  const last = await upgrade(other);
  const client = await other.now();
  for (const id of [cleo.subscriptionId, otherId])
    await client.subscription.cancelSubscription({ body: { id } });
  await other.liveUntil(new Date((await other.row()).period_end!.getTime() + DAY_MS));
  const ended = await Promise.all(
    [cleo, other].map(async of => (await invoiceOf(of.subscriptionId, 'upgrade'))!.carried_ended),
  );
  expect(ended).toEqual([0, last]);
});
