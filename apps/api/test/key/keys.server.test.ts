import { X509Certificate } from 'node:crypto';
import { COLLECT_MS } from '@fixpoint/domain/email/collecting.ts';
import { bangkokMonth } from '@fixpoint/domain/kernel/bangkok.ts';
import { certificateEnd } from '@fixpoint/domain/key/key.ts';
import { emailTo, PASSWORD } from '@fixpoint/testkit/buyer.ts';
import { createClient } from '@fixpoint/testkit/client.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';

type Customer = Awaited<ReturnType<TestShop['customer']>>;
let shop: TestShop;
let alice: Customer;
let bob: Customer;
beforeAll(async () => {
  shop = await startTestShop();
  [alice, bob] = [await shop.customer('alice', 'plus'), await shop.customer('bob')];
});
afterAll(() => shop?.stop());

const add = (customer: Customer, name: string, subscriptionId = customer.subscriptionId) =>
  customer.client.subscription.addKey({ body: { subscriptionId, name } });

test('S29 another customer’s subscription or key is answered like one that does not exist', async () => {
  const key = (await add(alice, 'mine')).data!;
  const unknown = 'sub_00000000000000000000';
  for (const id of [alice.subscriptionId, unknown]) {
    expect(await bob.client.subscription.getSubscription({ query: { id } })).toMatchObject({
      status: 400,
      code: '6006',
    });
    expect(await add(bob, 'x', id)).toMatchObject({ status: 400, code: '6006' });
    for (const call of ['deleteKey', 'downloadKey'] as const) {
      const answer = await bob.client.subscription[call]({ body: { subscriptionId: id, keyId: key.id } });
      expect(answer).toMatchObject({ status: 400, code: '6006' });
    }
  }
  const own = { subscriptionId: bob.subscriptionId, keyId: key.id };
  expect(await bob.client.subscription.downloadKey({ body: own })).toMatchObject({ code: '6005' });
  const mine = await alice.client.subscription.getSubscription({ query: { id: alice.subscriptionId } });
  expect(mine.data!.keys.map(({ name }) => name)).toEqual(['mine']);
});

test('without a token every call is refused', async () => {
  const answer = await shop.client.subscription.mySubscription({ body: {} });
  expect(answer).toMatchObject({ status: 401, code: '8001' });
  expect(answer.data).toBeUndefined();
});

test('a name is unique in a subscription regardless of case, and invalid names are refused with their text', async () => {
  expect((await add(alice, 'Laptop')).code).toBe('0000');
  expect(await add(alice, 'laptop')).toMatchObject({ status: 400, code: '4001' });
  for (const [name, text] of [
    ['', 'form.keyName.required'],
    ['a b', 'form.keyName.invalid'],
    ['..', 'form.keyName.unsafe'],
    ['-rf', 'form.keyName.unsafe'],
    ['CON', 'form.keyName.unsafe'],
  ] as const) {
    expect(await add(alice, name)).toMatchObject({ code: '7004', data: { fields: { name: text } } });
  }
});

test('S45 forty parallel calls never create more keys than the plan allows', async () => {
  const answers = await Promise.all(Array.from({ length: 40 }, (_, i) => add(bob, `device-${i}`)));
  const codes = answers.map(answer => answer.code).sort();
  expect(codes.filter(code => code === '0000')).toHaveLength(2);
  expect(codes.filter(code => code === '4000')).toHaveLength(38);
});

test('S73 S74 each download is a new file, and the database holds no plain private key', async () => {
  const key = (await add(alice, 'phone')).data!;
  const request = { subscriptionId: alice.subscriptionId, keyId: key.id };
  const [one, two] = [
    await alice.client.subscription.downloadKey({ body: request }),
    await alice.client.subscription.downloadKey({ body: request }),
  ];
  expect(one.data!.fileName).toBe('Fixpoint-phone.ovpn');
  expect(one.data!.profile).not.toBe(two.data!.profile);
  const secret = /-----BEGIN PRIVATE KEY-----\n([\s\S]+?)\n-----END/
    .exec(one.data!.profile)![1]!
    .split('\n')[0]!;
  const tables = await shop.db.introspection.getTables();
  for (const { schema = 'public', name } of tables) {
    const { rows } = await sql`select * from ${sql.table(`${schema}.${name}`)}`.execute(shop.db);
    const text = JSON.stringify(rows, (_, value) =>
      value?.type === 'Buffer' ? Buffer.from(value.data).toString('latin1') : value,
    );
    expect(text, name).not.toContain('PRIVATE KEY');
    expect(text, name).not.toContain(secret);
  }
});

test('S55 S56 a file is identified by our ID alone, and has no directive that runs anything', async () => {
  const { data: key } = await add(alice, 'up-script');
  const request = { subscriptionId: alice.subscriptionId, keyId: key!.id };
  const { profile } = (await alice.client.subscription.downloadKey({ body: request })).data!;
  expect(/remote ([\d.]+) /.exec(profile)![1]).toMatch(/^203\.0\.113\./);
  const block = (tag: string) => new RegExp(`<${tag}>\\n([\\s\\S]+?)</${tag}>`).exec(profile)![1]!;
  const certificate = new X509Certificate(block('cert'));
  expect(certificate.subject).toBe(`CN=${key!.id}`);
  expect(certificate.toString()).not.toContain('up-script');
  expect(certificate.checkIssued(new X509Certificate(block('ca')))).toBe(true);
  const directives = profile.replace(/<([a-z-]+)>[\s\S]+?<\/\1>/g, '').match(/^[a-z-]+/gm);
  expect(directives).toContain('remote-cert-tls');
  for (const runs of ['up', 'down', 'plugin', 'script-security', 'management', 'route-up', 'tls-verify'])
    expect(directives).not.toContain(runs);
  await alice.client.subscription.deleteKey({ body: request });
});

test('S76 FS6 a subscription has at most two hundred files a week, deleted keys included, and is told when the next is allowed', async () => {
  const eve = await shop.customer('eve');
  const { subscriptionId } = eve;
  const gone = (await add(eve, 'gone')).data!.id;
  await eve.client.subscription.deleteKey({ body: { subscriptionId, keyId: gone } });
  const keyId = (await add(eve, 'phone')).data!.id;
  const file = () => eve.client.subscription.downloadKey({ body: { subscriptionId, keyId } });
  const made = (count: number, hoursAgo: number) =>
    sql`insert into certificate (serial, key_id, customer_id, not_after, profile_version)
      select ${`${hoursAgo}`} || n, id, customer_id, ${certificateEnd(new Date(shop.clock.now().getTime() - hoursAgo * 3600_000))}, ''
      from vpn_key, generate_series(100000, ${99_999 + count}) n where id = ${gone}`.execute(shop.db);
  // One older than a week, the others within it.
  await made(50, 7 * 24 + 1);
  await made(199, 6 * 24);
  expect((await file()).code).toBe('0000');
  const refused = await file();
  expect(refused).toMatchObject({ status: 429, code: '9905' });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(23 * 3600);
  expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(24 * 3600);
  // A link that is refused stays valid.
  const { token } = (await eve.client.subscription.linkKey({ body: { subscriptionId, keyId } })).data!;
  const fetched = () => shop.client.subscription.fetchKey({}, { authorization: `Bearer ${token}` });
  expect((await fetched()).code).toBe('9905');
  await shop.db.deleteFrom('certificate').where('key_id', '=', gone).execute();
  expect([(await fetched()).code, (await fetched()).code]).toEqual(['0000', '8003']);
});

test('the host gets new, revoked and deleted keys', async () => {
  const key = (await add(alice, 'tablet')).data!;
  const request = { subscriptionId: alice.subscriptionId, keyId: key.id };
  const mine = () => shop.host.set()?.subscriptions.find(({ id }) => id === alice.subscriptionId);
  await expect.poll(() => mine()?.keys.some(({ id }) => id === key.id)).toBe(true);

  await alice.client.subscription.downloadKey({ body: request });
  await alice.client.subscription.downloadKey({ body: { ...request, revokeEarlier: true } });
  await expect.poll(() => mine()?.revoked.filter(({ keyId }) => keyId === key.id)).toHaveLength(1);

  expect((await alice.client.subscription.deleteKey({ body: request })).code).toBe('0000');
  await expect.poll(() => mine()?.keys.some(({ id }) => id === key.id)).toBe(false);
  expect(mine()?.revoked.filter(({ keyId }) => keyId === key.id)).toHaveLength(2);
  expect(await alice.client.subscription.deleteKey({ body: request })).toMatchObject({ code: '6005' });
});

test('the list and the subscription show this month’s usage of all keys, deleted ones included', async () => {
  const carol = await shop.customer('carol', 'plus');
  const phone = (await add(carol, 'phone')).data!;
  const gone = (await add(carol, 'gone')).data!;
  const deleted = { subscriptionId: carol.subscriptionId, keyId: gone.id };
  expect((await carol.client.subscription.deleteKey({ body: deleted })).code).toBe('0000');
  const month = bangkokMonth(shop.clock.now());
  const { customer_id } = await shop.db
    .selectFrom('vpn_key')
    .select('customer_id')
    .where('id', '=', phone.id)
    .executeTakeFirstOrThrow();
  await shop.db
    .insertInto('key_usage')
    .values([
      { key_id: phone.id, customer_id, month, down_bytes: 3_000_000_000, up_bytes: 500_000_000 },
      { key_id: gone.id, customer_id, month, down_bytes: 1_000_000_000, up_bytes: 0 },
      { key_id: phone.id, customer_id, month: '2020-01', down_bytes: 9_000_000_000, up_bytes: 0 },
    ])
    .execute();
  const usageBytes = 4_500_000_000;
  const { data } = await carol.client.subscription.mySubscription({ body: {} });
  expect(data!.items.find(({ id }) => id === carol.subscriptionId)).toMatchObject({ usageBytes });
  const one = await carol.client.subscription.getSubscription({ query: { id: carol.subscriptionId } });
  expect(one.data).toMatchObject({ usageBytes });
});

test('U68 the owner gets an email about a device that was added elsewhere, and it holds no secret', async () => {
  const owner = await shop.customer('dora');
  const { subscriptionId, email } = owner;
  // A browser that has never been theirs.
  const elsewhere = await shop.client.auth.login({ body: { email, password: PASSWORD } });
  const dora = { email, client: createClient(shop.url, elsewhere.token) };
  const body = { subscriptionId, name: 'canary-laptop', label: 'Dora’s laptop' };
  const { id: keyId } = (await dora.client.subscription.addKey({ body })).data!;
  const { data: file } = await dora.client.subscription.downloadKey({ body: { subscriptionId, keyId } });
  // A repeated call is refused because the name exists: no second device and email.
  expect((await dora.client.subscription.addKey({ body })).code).toBe('4001');
  await shop.sweep();
  shop.clock.advance(COLLECT_MS);
  await shop.sweep();
  const message = await emailTo(shop, dora.email, /device was added/);
  expect(message.Text).toContain('The device “Dora’s laptop” was added');
  expect(message.Subject).not.toMatch(/canary|Dora/);
  expect(message.Attachments).toEqual([]);
  const secrets = file!.profile.split('\n').filter(line => line.length > 40);
  expect(secrets.length).toBeGreaterThan(10);
  for (const form of [message.Text, message.HTML])
    expect(secrets.filter(line => form.includes(line))).toEqual([]);
});
