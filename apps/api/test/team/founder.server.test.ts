import {
  beginOrder,
  buyAsVisitor,
  cardPaymentOf,
  confirmCard,
  emailTo,
  PASSWORD,
  until,
} from '@fixpoint/testkit/buyer.ts';
import { createClient, type TestClient } from '@fixpoint/testkit/client.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { Secret, TOTP } from 'otpauth';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { liveBus } from '../../src/adapters/postgres-bus.ts';
import { endingWork } from '../../src/compose/ending-work.ts';
import { personal } from '../../src/compose/personal.ts';
import { repeatDeletion } from '../../src/modules/account/index.ts';
import { checkDatabase } from '../../src/modules/books/index.ts';
import { customerPage } from '../../src/modules/staff/customer-page.ts';
import { findCustomers } from '../../src/modules/staff/find-customer.ts';
import { createAuthenticator } from '../account/authenticator.ts';
import { proveHuman } from '../helpers/people.ts';
import { lockWaits, whileLocked } from '../helpers/while-locked.ts';
import { followed, leaveAlone, savedCard } from '../subscription/renewing.ts';
import { invitationTo, newColleague, openSocket, subjectsTo } from './people.ts';

/** Who founded a customer leaves it, or becomes less in it. Whoever else works for one: `team`, `members`. */
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
let shop: TestShop;
let founder: Awaited<ReturnType<TestShop['customer']>>;
let companyId: string;
let second: Awaited<ReturnType<typeof newColleague>>;
let count = 0;
beforeAll(async () => {
  shop = await startTestShop();
});
afterAll(() => shop?.stop());
beforeEach(async () => {
  founder = await shop.customer(`founder-${++count}`, 'plus');
  companyId = (await founder.client.auth.profile()).data!.id;
  second = await newColleague(shop, founder.client, `second-${count}@example.com`, 'owner');
});
afterEach(async () => {
  expect(await checkDatabase(shop.db, shop.clock.now())).toEqual([]);
  await leaveAlone(shop);
});

const logIn = async (email: string, totp?: string) => {
  const body = { email, password: PASSWORD, humanCheck: await proveHuman(shop), ...(totp && { totp }) };
  const { code, token } = await shop.client.auth.login({ body });
  return { code, token: token!, client: createClient(shop.url, token) };
};
const removeFounder = () => second.client.team.remove({ body: { userId: companyId } });
const peopleOf = async (client: TestClient) =>
  (await client.team.people()).data!.people.map(({ email, role }) => ({ email, role }));
const addKey = (client: TestClient, name: string) =>
  client.subscription.addKey({ body: { subscriptionId: founder.subscriptionId, name } });

test('a removed founder’s session, socket and devices end; the customer goes on without them', async () => {
  const socket = await openSocket(shop, founder.token);
  const ended = new Promise(done => socket.once('disconnect', done));
  const [own, theirs] = [await addKey(founder.client, 'own'), await addKey(second.client, 'theirs')];
  expect((await removeFounder()).code).toBe('0000');
  await ended;
  socket.disconnect();
  expect((await founder.client.auth.profile()).code).toBe('8001');
  const keys = shop.db.selectFrom('vpn_key').select('id').where('deleted_at', 'is', null);
  expect(await keys.where('customer_id', '=', companyId).execute()).toEqual([{ id: theirs.data!.id }]);
  expect((await emailTo(shop, founder.email, /no longer have access/)).Text).toContain(second.email);

  const { client } = await logIn(founder.email);
  const profile = (await client.auth.profile()).data!;
  expect(profile).toMatchObject({ email: founder.email, customers: [], customerId: profile.id });
  expect(profile.id).not.toBe(companyId);
  const query = { id: founder.subscriptionId };
  const tried = [
    await client.team.switchCustomer({ body: { customerId: companyId } }),
    await client.subscription.getSubscription({ query }),
    await client.subscription.linkKey({ body: { subscriptionId: query.id, keyId: own.data!.id } }),
  ];
  expect(tried.map(({ code }) => code)).toEqual(['6001', '6006', '6006']);
  expect((await client.payment.getCard()).data!.cards).toEqual([]);
  expect((await client.billing.myBilling()).data!.items).toEqual([]);

  expect(await peopleOf(second.client)).toEqual([{ email: second.email, role: 'owner' }]);
  expect((await second.client.auth.profile()).data!.customers).toEqual([
    { id: companyId, name: second.email, role: 'owner' },
  ]);
  expect((await second.client.billing.myBilling()).data!.items).toHaveLength(1);
  expect((await removeFounder()).code).toBe('6001');
  const { actions } = (await second.client.team.actions()).data!;
  expect(actions.map(({ at: _, ...action }) => action)).toEqual([
    { by: second.email, action: 'remove', about: founder.email },
    { by: second.email, action: 'addKey', about: 'theirs' },
    { by: founder.email, action: 'addKey', about: 'own' },
    { by: second.email, action: 'joinTeam' },
    { by: founder.email, action: 'invite', about: second.email },
  ]);
  // Staff finds the customer by the present owner.
  expect(await findCustomers(shop.db, second.email)).toContainEqual(
    expect.objectContaining({ id: companyId, email: second.email }),
  );
  expect((await customerPage(shop.db, companyId)).account).toMatchObject({
    email: second.email,
    hasPassword: false,
    sessions: [expect.anything()],
  });
});

test('a founder leaves with password, app, recovery codes and passkeys, and with the work for others', async () => {
  const other = await shop.customer(`other-${count}`);
  await other.client.team.invite({ body: { email: founder.email, role: 'owner' } });
  const invitation = await invitationTo(shop, founder.email);
  expect((await founder.client.team.joinTeam({ body: { invitation } })).code).toBe('0000');
  const elsewhere = await logIn(founder.email);
  const otherId = (await elsewhere.client.auth.profile()).data!.customerId;
  const { secret } = (await founder.client.account.beginTotp()).data!;
  const codeOf = () =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: shop.clock.now().getTime() });
  const { recoveryCodes } = (await founder.client.account.confirmTotp({ body: { code: codeOf() } })).data!;
  const authenticator = createAuthenticator(shop.url);
  const begun = (await founder.client.account.addPasskeyOptions()).data!;
  const added = { flow: begun.flow, name: 'Laptop', response: authenticator.create(begun.options) };
  expect((await founder.client.account.addPasskey({ body: added })).code).toBe('0000');
  await founder.client.account.setName({ body: { name: 'Anna' } });
  await founder.client.account.setEmails({ body: { off: ['usage'] } });

  expect((await founder.client.team.leave()).code).toBe('0000');
  // The session for another customer is the user's, and goes on.
  const profile = (await elsewhere.client.auth.profile()).data!;
  expect(profile).toMatchObject({ name: 'Anna', emailsOff: ['usage'], totp: true, passkeys: 1 });
  expect(profile.customers).toEqual([{ id: otherId, name: other.email, role: 'owner' }]);
  shop.clock.advance(MINUTE_MS);
  expect((await logIn(founder.email, codeOf())).code).toBe('0000');
  expect((await logIn(founder.email, recoveryCodes[0])).code).toBe('0000');
  expect((await logIn(founder.email, recoveryCodes[0])).code).toBe('7006');
  const { flow, options } = (await shop.client.account.passkeyLoginOptions()).data!;
  const response = authenticator.get(options);
  const byKey = await shop.client.account.passkeyLogin({ body: { flow, response } });
  expect(byKey.code).toBe('0000');
  expect((await other.client.team.people()).data!.people.map(({ email }) => email)).toEqual([
    other.email,
    founder.email,
  ]);

  // They leave a second customer that they founded since, with everything they had before.
  const { metadata } = await buyAsVisitor(shop, founder.email);
  await until(
    async () => (await shop.client.order.purchaseData({ body: { metadata } })).data?.subscription?.id,
    'the subscription',
  );
  const again = createClient(shop.url, byKey.token);
  const { token } = await again.team.switchCustomer({ body: { customerId: profile.id } });
  const own = createClient(shop.url, token);
  const third = await newColleague(shop, own, `third-${count}@example.com`, 'owner');
  expect((await own.team.leave()).code).toBe('0000');
  expect((await third.client.auth.profile()).data!.customerId).toBe(profile.id);
  expect((await logIn(founder.email, recoveryCodes[1])).code).toBe('0000');
  const twice = (await shop.client.account.passkeyLoginOptions()).data!;
  const signed = { flow: twice.flow, response: authenticator.get(twice.options) };
  expect((await shop.client.account.passkeyLogin({ body: signed })).code).toBe('0000');
  const { actions } = (await second.client.team.actions()).data!;
  expect(actions[0]).toMatchObject({ by: 'Anna', action: 'leave' });
});

test('a founder becomes a member like everybody: their session goes on, with their own devices only', async () => {
  const key = (await addKey(founder.client, 'own')).data!;
  await addKey(second.client, 'theirs');
  const body = { userId: companyId, role: 'member' as const };
  expect((await second.client.team.setRole({ body })).code).toBe('0000');
  expect((await founder.client.auth.profile()).data).toMatchObject({ customerId: companyId, role: 'member' });
  const { items } = (await founder.client.member.subscriptions()).data!;
  expect(items).toMatchObject([{ id: founder.subscriptionId, keyCount: 1 }]);
  expect((await founder.client.billing.myBilling()).code).toBe('8002');
  const query = { id: founder.subscriptionId };
  const { keys } = (await founder.client.member.subscription({ query })).data!;
  expect(keys.map(({ id }) => id)).toEqual([key.id]);
  expect((await founder.client.account.exportData()).data).toMatchObject({ invoices: [], orders: [] });
  await founder.client.account.setLanguage({ body: { language: 'th' } });
  expect((await emailTo(shop, founder.email, /has changed/)).Text).toContain('your own devices');
  const { people } = (await second.client.team.people()).data!;
  const { userId } = people.find(({ email }) => email === founder.email)!;
  expect((await second.client.team.setRole({ body: { userId, role: 'owner' } })).code).toBe('0000');
  expect((await second.client.team.leave()).code).toBe('0000');
  expect(await peopleOf((await logIn(founder.email)).client)).toEqual([
    { email: founder.email, role: 'owner' },
  ]);
});

test('the saved card is charged, the open order paid and bills sent when the founder has left', async () => {
  const followedOne = await followed(shop, founder);
  await savedCard(founder.client);
  const { metadata, consent } = await beginOrder(founder.client);
  const ordered = await founder.client.order.purchaseLogin({ body: consent });
  expect((await founder.client.team.leave()).code).toBe('0000');
  const before = (await subjectsTo(shop, founder.email)).length;
  await confirmCard(shop, cardPaymentOf(ordered.data));
  await second.client.order.confirmPurchase({ body: { metadata } });
  await emailTo(shop, second.email, /receipt/i);
  await until(
    async () => (await second.client.subscription.mySubscription({ body: {} })).data!.items.length === 2,
    'the paid order is the customer’s',
  );
  await followedOne.at(-1);
  // Both subscriptions, each bought and renewed.
  expect(await followedOne.taken()).toHaveLength(4);
  const renewed = (await followedOne.invoices()).find(({ purpose }) => purpose === 'renewal')!;
  const invoices = shop.db.selectFrom('invoice').select(['buyer', 'language', 'status']);
  expect(await invoices.where('id', '=', renewed.id).executeTakeFirst()).toMatchObject({
    buyer: { email: second.email },
    status: 'paid',
  });
  await emailTo(shop, second.email, /renew/i);
  const { client } = await logIn(second.email);
  const bought = await beginOrder(client);
  const own = await client.order.purchaseLogin({ body: bought.consent });
  expect(own.code).toBe('0000');
  const orders = shop.db.selectFrom('shop_order').select('email');
  const named = orders.where('customer_id', '=', companyId).orderBy('created_at', 'desc');
  expect(await named.executeTakeFirst()).toEqual({ email: second.email });
  // Whoever left reads nothing of it, and what they buy is their own.
  expect(await subjectsTo(shop, founder.email)).toHaveLength(before);
  const guest = await buyAsVisitor(shop, founder.email);
  await until(
    async () =>
      (await shop.client.order.purchaseData({ body: { metadata: guest.metadata } })).data?.subscription,
    'the subscription',
  );
  const after = (await logIn(founder.email)).client;
  expect((await after.auth.profile()).data!.customers).toMatchObject([{ role: 'owner' }]);
  expect((await after.subscription.mySubscription({ body: {} })).data!.items).toHaveLength(1);
});

test('the last owner ends a customer that nobody founded any more with their own log-in', async () => {
  expect((await founder.client.team.leave()).code).toBe('0000');
  const body = { action: 'delete' as const, currentPassword: PASSWORD };
  expect((await second.client.auth.deleteAccount({ body })).code).toBe('8007');
  const cancelled = { id: founder.subscriptionId, reasons: ['other' as const] };
  await second.client.subscription.cancelSubscription({ body: cancelled });
  await (await followed(shop, founder)).at(1);
  const { client } = await logIn(second.email);
  const third = await newColleague(shop, client, `worker-${count}@example.com`, 'buyer');
  expect((await client.auth.deleteAccount({ body })).code).toBe('8807');
  await client.team.remove({ body: { userId: third.userId } });
  expect((await client.auth.deleteAccount({ body })).code).toBe('0000');
  const customers = shop.db.selectFrom('customer').select(['status', 'email', 'password_hash']);
  const ended = await customers.where('id', 'in', [companyId, second.userId]).execute();
  expect(ended.map(({ status, email }) => [status, email])).toEqual(Array(2).fill(['deleted', second.email]));
  expect((await logIn(founder.email)).code).toBe('0000');
  await until(async () => {
    await shop.sweep();
    shop.clock.advance(DAY_MS);
    const left = await customers.where('email', '=', second.email).execute();
    return left.length === 0;
  }, 'both are erased');
});

test('what a founder who left is erased with is theirs, and the customer’s orders name them no more', async () => {
  expect((await founder.client.team.leave()).code).toBe('0000');
  const { client } = await logIn(founder.email);
  expect((await client.account.exportData()).data).toMatchObject({ orders: [], invoices: [] });
  const { data } = await second.client.account.exportAccount();
  expect(data).toMatchObject({ account: { id: companyId, name: second.email } });
  expect(data!.invoices).toHaveLength(1);
  const body = { action: 'delete' as const, currentPassword: PASSWORD };
  expect((await client.auth.deleteAccount({ body })).code).toBe('0000');
  const orders = shop.db.selectFrom('shop_order').select('email').where('customer_id', '=', companyId);
  await until(async () => {
    await shop.sweep();
    shop.clock.advance(DAY_MS);
    return (await orders.executeTakeFirst())!.email !== founder.email;
  }, 'the address is erased');
  const again = (await logIn(second.email)).client;
  const { items } = (await again.subscription.mySubscription({ body: {} })).data!;
  expect(items.map(({ id }) => id)).toEqual([founder.subscriptionId]);
});

test('who has handed over deletes their log-in in one step; the customer goes on without them', async () => {
  const [own, theirs] = [await addKey(founder.client, 'own'), await addKey(second.client, 'theirs')];
  const body = { action: 'delete' as const, currentPassword: PASSWORD };
  expect((await founder.client.auth.deleteAccount({ body })).code).toBe('8807');
  expect((await founder.client.team.handOver({ body: { userId: second.userId } })).code).toBe('0000');
  expect((await founder.client.auth.deleteAccount({ body })).code).toBe('0000');
  expect((await founder.client.auth.profile()).code).toBe('8001');
  expect((await logIn(founder.email)).code).toBe('8005');
  await emailTo(shop, founder.email, /deleted your account/);
  expect(await peopleOf(second.client)).toEqual([{ email: second.email, role: 'owner' }]);
  const query = { id: founder.subscriptionId };
  const kept = (await second.client.subscription.getSubscription({ query })).data!;
  expect(kept).toMatchObject({ status: 'active', cancelAtPeriodEnd: false, keys: [{ id: theirs.data!.id }] });
  const keys = shop.db.selectFrom('vpn_key').select('name').where('id', '=', own.data!.id);
  await until(async () => {
    await shop.sweep();
    shop.clock.advance(DAY_MS);
    return (await keys.executeTakeFirst())?.name !== 'own';
  }, 'the log-in is erased');
  const customers = shop.db.selectFrom('customer').select(['status', 'founder_id']);
  expect(await customers.where('id', '=', companyId).executeTakeFirst()).toMatchObject({ status: 'active' });
});

test.each([
  ['hands over', () => founder.client.team.handOver({ body: { userId: second.userId } })],
  ['is made a buyer', () => second.client.team.setRole({ body: { userId: companyId, role: 'buyer' } })],
])(
  'a founder who %s buys for the company when logged in to it, and for themselves as a guest',
  async (_, end) => {
    expect((await end()).code).toBe('0000');
    const { subscriptionId } = founder;
    const mine = async (client: TestClient) =>
      (await client.subscription.mySubscription({ body: {} })).data!.items.map(({ id }) => id);
    const profile = (await founder.client.auth.profile()).data!;
    expect(profile).toMatchObject({ customerId: companyId, role: 'buyer' });
    expect(profile.id).not.toBe(companyId);
    expect(await mine(founder.client)).toEqual([subscriptionId]);

    const alone = await founder.client.team.switchCustomer({ body: { customerId: profile.id } });
    expect((await createClient(shop.url, alone.token).auth.profile()).data).toMatchObject({ role: 'owner' });
    const { metadata } = await buyAsVisitor(shop, founder.email);
    const bought = await until(
      async () => (await shop.client.order.purchaseData({ body: { metadata } })).data?.subscription?.id,
      'the subscription',
    );
    expect(await mine(second.client)).toEqual([subscriptionId]);
    const { client } = await logIn(founder.email);
    const { token } = await client.team.switchCustomer({ body: { customerId: profile.id } });
    expect(await mine(createClient(shop.url, token))).toEqual([bought]);
  },
);

test('two founders join, and then leave each other’s customers at one moment without a deadlock', async () => {
  const other = await shop.customer(`mirrored-${count}`);
  const otherId = (await other.client.auth.profile()).data!.id;
  await newColleague(shop, other.client, `others-second-${count}@example.com`, 'owner');
  await founder.client.team.invite({ body: { email: other.email, role: 'buyer' } });
  await other.client.team.invite({ body: { email: founder.email, role: 'buyer' } });
  const invitations = await Promise.all([founder, other].map(({ email }) => invitationTo(shop, email)));
  type Call = () => Promise<{ code: string }>;
  /** Both wait for the second founder's customer, who is the first to get on. */
  const atOnce = async (founders: Call, others: Call) => {
    let first: ReturnType<Call> | undefined;
    const lock = `select from customer where id = '${otherId}' for no key update`;
    const { code } = await whileLocked(shop, lock, others, async () => {
      first = founders();
      await lockWaits(shop, 2);
    });
    expect([(await first)!.code, code]).toEqual(['0000', '0000']);
  };
  await atOnce(
    () => founder.client.team.joinTeam({ body: { invitation: invitations[0]! } }),
    () => other.client.team.joinTeam({ body: { invitation: invitations[1]! } }),
  );
  await atOnce(
    () => founder.client.team.leave(),
    () => other.client.team.leave(),
  );
  const [own, theirs] = [await logIn(founder.email), await logIn(other.email)];
  const worksFor = async ({ client }: typeof own) =>
    (await client.auth.profile()).data!.customers.map(({ id, role }) => ({ id, role }));
  expect(await worksFor(own)).toEqual([{ id: otherId, role: 'buyer' }]);
  expect(await worksFor(theirs)).toEqual([{ id: companyId, role: 'buyer' }]);
});

test('a user who is deleted again after a restore leaves no owner and no device elsewhere', async () => {
  const key = (await addKey(second.client, 'theirs')).data!;
  const [member, buyer] = [
    await newColleague(shop, founder.client, `member-${count}@example.com`, 'member'),
    await newColleague(shop, founder.client, `buyer-${count}@example.com`, 'buyer'),
  ];
  // In the backup they are the last owner: they handed over and left after it.
  expect((await founder.client.team.leave()).code).toBe('0000');
  const noJobs = { enqueue: async () => undefined, enqueueAll: async () => undefined };
  const written = { clock: shop.clock, jobs: noJobs, live: liveBus };
  const deps = { db: shop.db, ...written, ...endingWork(written), systemClock: shop.clock, personal };
  expect(await repeatDeletion({ ...deps, endOrders: async () => true }, second.userId)).toBe(true);
  const keys = shop.db.selectFrom('vpn_key').select('deleted_at').where('id', '=', key.id);
  expect(await keys.executeTakeFirst()).toEqual({ deleted_at: expect.any(Date) });
  expect((await second.client.auth.profile()).code).toBe('8001');
  const left = await peopleOf(buyer.client);
  expect(new Map(left.map(({ email, role }) => [email, role]))).toEqual(
    new Map([
      [member.email, 'member'],
      [buyer.email, 'owner'],
    ]),
  );
});

test('who was only invited owns nothing because of a changed log-in', async () => {
  await second.client.account.setLanguage({ body: { language: 'th' } });
  expect((await second.client.auth.profile()).data!.customers.map(({ id }) => id)).toEqual([companyId]);
});
