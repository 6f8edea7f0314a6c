import { part6 } from '@fixpoint/contract/ipv6.ts';
import { buyAsVisitor, until } from '@fixpoint/testkit/buyer.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { subscriber } from '../subscription/renewing.ts';

const MINUTE_MS = 60_000;

let shop: TestShop;
let anna: Awaited<ReturnType<typeof subscriber>>;
const logged: string[] = [];
beforeAll(async () => {
  shop = await startTestShop({ TRUST_PROXY: '127.0.0.1', LOG_LEVEL: 'debug' }, line => logged.push(line));
  anna = await subscriber(shop, 'anna');
});
afterAll(() => shop?.stop());

const detail = async (client = anna.client) =>
  (await client.subscription.getSubscription({ query: { id: anna.subscriptionId } })).data!;
const add = (name: string, more: object = {}, client = anna.client) =>
  client.subscription.addKey({ body: { subscriptionId: anna.subscriptionId, name, ...more } });
const bare = (token: string) => ({ authorization: `Bearer ${token}` });

test('FU16 S85 a customer is told whether they connect through their own tunnel, and no other origin is stored', async () => {
  const { address } = await detail();
  const ask = async (from: string) =>
    (await anna.client.subscription.connected({}, { 'x-forwarded-for': from })).data!.ids;
  expect(await ask(address!)).toEqual([anna.subscriptionId]);
  expect(await ask(`::ffff:${address}`)).toEqual([anna.subscriptionId]);
  // Its part of the IPv6 prefix counts as well.
  await shop.db.updateTable('address_pool').set({ prefix6: '2001:db8:7::/56' }).execute();
  expect(
    await ask(part6('2001:db8:7::/56', 8, Number(address!.split('.')[3]), 64).replace('/64', '9')),
  ).toEqual([anna.subscriptionId]);
  expect(await ask('2001:db8:7:ff::9')).toEqual([]);
  const elsewhere = '198.51.100.77';
  expect(await ask(elsewhere)).toEqual([]);
  // The address of another customer is answered like any other.
  const ben = await shop.customer('ben');
  const through = { 'x-forwarded-for': address! };
  expect((await ben.client.subscription.connected({}, through)).data!.ids).toEqual([]);

  expect(logged.join('\n')).not.toContain(elsewhere);
  const tables = await shop.db.introspection.getTables();
  for (const { schema = 'public', name } of tables) {
    const { rows } = await sql`select * from ${sql.table(`${schema}.${name}`)}`.execute(shop.db);
    expect(JSON.stringify(rows), name).not.toContain(elsewhere);
  }
});

test('FU3 K17 a device has a label and a kind, and a card number is refused as a label', async () => {
  expect((await add('annas-phone', { label: ' โทรศัพท์ของ Anna ', device: 'ios' })).data).toMatchObject({
    name: 'annas-phone',
    label: 'โทรศัพท์ของ Anna',
    device: 'ios',
  });
  expect((await detail()).keys[0]).toMatchObject({ label: 'โทรศัพท์ของ Anna', device: 'ios' });
  for (const [label, text] of [
    ['4242 4242 4242 4242', 'form.keyName.card'],
    ['a\nb', 'form.deviceLabel.invalid'],
    ['x'.repeat(61), 'form.deviceLabel.invalid'],
  ]) {
    expect(await add('other', { label })).toMatchObject({ code: '7004', data: { fields: { label: text } } });
  }
});

test('FU4 K18 only the newest link gives the file to another device, once within ten minutes', async () => {
  const key = (await detail()).keys[0]!;
  const body = { subscriptionId: anna.subscriptionId, keyId: key.id };
  const link = async () => (await anna.client.subscription.linkKey({ body })).data!.token;
  const fetchFile = (token: string) => shop.client.subscription.fetchKey({}, bare(token));

  const earlier = await link();
  const token = await link();
  expect(await fetchFile(earlier)).toMatchObject({ code: '8003' });
  const answers = await Promise.all([fetchFile(token), fetchFile(token), fetchFile(token)]);
  expect(answers.map(({ code }) => code).sort()).toEqual(['0000', '8003', '8003']);
  const file = answers.find(({ code }) => code === '0000')!.data!;
  expect(file.fileName).toBe('Fixpoint-annas-phone.ovpn');
  expect(file.profile).toContain('<key>');
  // One file, one certificate: a late request leaves nothing behind.
  const { length } = await shop.db
    .selectFrom('certificate')
    .select('serial')
    .where('key_id', '=', key.id)
    .execute();
  expect(length).toBe(1);

  const slow = await link();
  shop.clock.advance(10 * MINUTE_MS);
  expect(await fetchFile(slow)).toMatchObject({ code: '8003' });
  expect(await fetchFile('A'.repeat(43))).toMatchObject({ code: '8003' });
});

test('FU4 K18 S29 a customer links only their own keys, and a link ends with its key', async () => {
  const me = await anna.now();
  const ben = await subscriber(shop, 'ben-too');
  const { id: keyId } = (await add('tablet', {}, me)).data!;
  const body = { subscriptionId: anna.subscriptionId, keyId };
  expect(await ben.client.subscription.linkKey({ body })).toMatchObject({ code: '6006' });
  const { token } = (await me.subscription.linkKey({ body })).data!;
  await me.subscription.deleteKey({ body });
  expect(await shop.client.subscription.fetchKey({}, bare(token))).toMatchObject({ code: '8003' });
});

test('S46 the profile of a buyer names the accepted terms, and that of a gift’s recipient does not', async () => {
  const { version } = (await shop.client.text.getTerm()).data!;
  const me = await anna.now();
  expect((await me.auth.profile()).data!.termsVersion).toBe(version);
  const given = (is_gift: boolean) =>
    shop.db.updateTable('subscription').set({ is_gift }).where('id', '=', anna.subscriptionId).execute();
  await given(true);
  expect((await me.auth.profile()).data!.termsVersion).toBeUndefined();
  await given(false);
});

test('FU16 the list shows what needs action, the next payment first, with its history', async () => {
  const me = await anna.now();
  const before = await detail(me);
  expect(before.history.map(({ event }) => event)).toEqual(['activate']);
  expect(before.openInvoice).toBeUndefined();
  // The charge is the day before the next period.
  expect(before.billedAt).toBe(new Date(anna.firstEnd.getTime() - 86_400_000).toISOString());
  await anna.cardIs('pm_card_chargeCustomerFail');
  await anna.at(-1);
  await shop.sweep();
  const now = await anna.now();
  const [first] = (await now.subscription.mySubscription({ body: { sort: 'soonest' } })).data!.items;
  expect(first).toMatchObject({
    status: 'pastDue',
    byHand: false,
    openInvoice: { currency: 'THB', amount: 199_00 },
  });
  expect(Date.parse(first!.filesUntil!)).toBeGreaterThan(shop.clock.now().getTime());
  expect((await detail(now)).history.map(({ event }) => event)).toEqual(['miss', 'activate']);
  expect((await detail(now)).billedAt).toBeUndefined();

  // A bitcoin payer renews manually, even with a saved card.
  await shop.db.updateTable('attempt').set({ method: 'bitcoin' }).where('status', '=', 'succeeded').execute();
  expect(await detail(now)).toMatchObject({ byHand: true });
});

test('several subscriptions are listed by age or by their end, a page at a time', async () => {
  const lea = await subscriber(shop, 'lea');
  type Asked = NonNullable<Parameters<typeof lea.client.subscription.mySubscription>[0]>['body'];
  const list = async (body: Asked) => (await (await lea.now()).subscription.mySubscription({ body })).data!;
  const months = async (body: Asked) => (await list(body)).items.map(({ cycleCount }) => cycleCount);
  for (const [index, cycleCount] of ([12, 3] as const).entries()) {
    shop.clock.advance(MINUTE_MS);
    await buyAsVisitor(shop, lea.email, { cycleCount });
    await until(
      async () => (await list({ status: 'active' })).total === index + 2,
      'another active subscription',
    );
  }
  expect(await months({})).toEqual([3, 12, 1]);
  expect(await months({ sort: 'oldest' })).toEqual([1, 12, 3]);
  expect(await months({ sort: 'soonest' })).toEqual([1, 3, 12]);
  expect(await list({ sort: 'soonest', size: 2, page: 1 })).toMatchObject({
    items: [{ cycleCount: 1 }, { cycleCount: 3 }],
    total: 3,
  });
  expect(await list({ sort: 'soonest', size: 2, page: 2 })).toMatchObject({
    items: [{ cycleCount: 12 }],
    total: 3,
  });
  // Expired ones come last, although their period ended first.
  await (await lea.now()).subscription.cancelSubscription({ body: { id: lea.subscriptionId } });
  await lea.at(0.1);
  expect(await months({ sort: 'soonest' })).toEqual([3, 12, 1]);
  expect(await months({ status: 'expired' })).toEqual([1]);
});
