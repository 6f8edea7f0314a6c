import { bangkokDay } from '@fixpoint/domain/kernel/bangkok.ts';
import { emailTo, PASSWORD, until } from '@fixpoint/testkit/buyer.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { personal } from '../../src/compose/personal.ts';
import { eraseCustomer } from '../../src/modules/account/erase-accounts.ts';
import { bearer, newColleague, openSocket } from './people.ts';

let shop: TestShop;
let owner: Awaited<ReturnType<TestShop['customer']>>;
let subscriptionId: string;
let ownKey: string;
beforeAll(async () => {
  shop = await startTestShop();
  owner = await shop.customer('company', 'team');
  ({ subscriptionId } = owner);
  const body = { subscriptionId, name: 'own' };
  ownKey = (await owner.client.subscription.addKey({ body })).data!.id;
});
afterAll(() => shop?.stop());

let count = 0;
const member = (devices?: number) =>
  newColleague(shop, owner.client, `member-${++count}@example.com`, 'member', {
    ...(devices && { subscriptionId, devices }),
  });
type Member = Awaited<ReturnType<typeof member>>;
const add = ({ client }: Member, name: string) =>
  client.subscription.addKey({ body: { subscriptionId, name } });
const partOf = async ({ client }: Member) => (await client.member.subscriptions()).data!.items;

describe('a member', () => {
  test('sees the subscription that they were given, and adds devices within their number', async () => {
    const people = async () =>
      (await owner.client.subscription.getSubscription({ query: { id: subscriptionId } })).data!.people;
    expect(await people()).toBe(1);
    const mia = await member(1);
    expect(await people()).toBe(2);
    expect(await partOf(mia)).toMatchObject([{ id: subscriptionId, devices: 1, keyCount: 0, canAdd: true }]);
    expect((await add(mia, 'OWN')).code).toBe('4001');
    const phone = (await add(mia, `phone-${count}`)).data!;
    expect((await add(mia, 'second')).code).toBe('4000');
    const query = { id: subscriptionId };
    const seen = (await mia.client.member.subscription({ query })).data!;
    expect(seen).toMatchObject({ keyCount: 1, canAdd: false, keys: [{ id: phone.id }], hostReachable: true });
    expect(seen.keys).toHaveLength(1);
    const own = (await mia.client.team.ownDevices()).data!.devices;
    expect(own).toEqual([{ id: phone.id, name: `phone-${count}`, subscriptionId }]);
    const { keys } = (await owner.client.subscription.getSubscription({ query })).data!;
    expect(keys.find(({ id }) => id === phone.id)!.user).toEqual({ id: mia.userId, email: mia.email });
    expect(keys.find(({ id }) => id === ownKey)).not.toHaveProperty('user');
  });

  test('gets a file and a diagnosis for their own device, and finds no device of others', async () => {
    const mia = await member(1);
    const { subscription } = mia.client;
    const { id: keyId } = (await add(mia, `laptop-${count}`)).data!;
    const own = { subscriptionId, keyId };
    expect((await subscription.downloadKey({ body: own })).data!.profile).toContain('BEGIN PRIVATE KEY');
    expect((await subscription.linkKey({ body: own })).data).toMatchObject({ endsIn: 600 });
    const deviceTime = shop.clock.now().toISOString();
    const { checks } = (await subscription.diagnose({ body: { id: subscriptionId, deviceTime } })).data!;
    expect(checks.find(({ check }) => check === 'key')).toMatchObject({ verdict: 'good' });
    expect(checks.map(({ check }) => check)).not.toContain('paid');
    expect(checks.flatMap(({ keyIds = [] }) => keyIds)).not.toContain(ownKey);
    expect((await subscription.connected()).data).toEqual({ ids: [] });
    const others = { subscriptionId, keyId: ownKey };
    for (const call of ['downloadKey', 'linkKey', 'deleteKey'] as const)
      expect((await subscription[call]({ body: others })).code, call).toBe('6005');
  });

  test('nobody but its user reads what a device used on a day; owners read the subscription’s month', async () => {
    const mia = await member(1);
    const { id: keyId } = (await add(mia, `tablet-${count}`)).data!;
    const customer_id = mia.customerId;
    const month = bangkokDay(shop.clock.now()).slice(0, 7);
    const day = bangkokDay(new Date(shop.clock.now().getTime() - 24 * 60 * 60_000));
    const used = (key_id: string, bytes: number) => ({ key_id, customer_id, down_bytes: bytes, up_bytes: 0 });
    for (const row of [used(ownKey, 100), used(keyId, 20)]) {
      await shop.db
        .insertInto('key_usage')
        .values({ ...row, month })
        .execute();
      await shop.db
        .insertInto('key_usage_day')
        .values({ ...row, day, epoch: 'e' })
        .execute();
    }
    const params = { id: subscriptionId };
    const theirs = (await mia.client.subscription.getBandwidth({ params })).data!;
    expect(theirs.keys.map(({ id, usageBytes }) => [id, usageBytes])).toEqual([[keyId, 20]]);
    expect(theirs.months).toMatchObject([{ downBytes: 20 }]);
    expect(theirs.days).toMatchObject([{ day, downBytes: 20 }]);
    const owners = (await owner.client.subscription.getBandwidth({ params })).data!;
    expect(owners.months).toMatchObject([{ downBytes: 120 }]);
    expect(owners.days).toMatchObject([{ day, downBytes: 100 }]);
    const listed = owners.keys.find(({ id }) => id === keyId)!;
    expect(listed).toMatchObject({ user: { id: mia.userId } });
    expect(listed).not.toHaveProperty('usageBytes');
    const exported = (await owner.client.account.exportData()).data!;
    expect(exported.keys.flatMap(({ days }) => days)).toMatchObject([{ day, downBytes: 100 }]);
    expect(exported.devicesElsewhere).toEqual([]);
    const own = (await mia.client.account.exportData()).data!;
    expect(own.keys).toEqual([]);
    expect(own.devicesElsewhere).toEqual([
      {
        customer: mia.customerId,
        subscription: subscriptionId,
        name: `tablet-${count}`,
        label: null,
        device: null,
        forwardedPort: null,
        createdAt: expect.any(String),
        usage: [{ month, downBytes: 20, upBytes: 0 }],
        days: [{ day, downBytes: 20, upBytes: 0 }],
      },
    ]);
  });

  test('ends with their log-in: devices at once, and the names of them when the data are erased', async () => {
    const mia = await member(2);
    const name = `mias-${count}`;
    const { id: keyId } = (await add(mia, name)).data!;
    const body = { action: 'delete' as const, currentPassword: PASSWORD };
    expect((await mia.client.auth.deleteAccount({ body })).code).toBe('0000');
    const deviceOf = () =>
      shop.db
        .selectFrom('vpn_key')
        .select(['name', 'deleted_at'])
        .where('id', '=', keyId)
        .executeTakeFirstOrThrow();
    expect(await deviceOf()).toEqual({ name, deleted_at: expect.any(Date) });
    const { people } = (await owner.client.team.people()).data!;
    expect(people.map(({ email }) => email)).not.toContain(mia.email);
    await eraseCustomer(shop.db, personal, mia.userId);
    expect(await deviceOf()).toMatchObject({ name: keyId });
    expect(await shop.db.selectFrom('vpn_key').select('name').where('id', '=', ownKey).execute()).toEqual([
      { name: 'own' },
    ]);
  });

  test('loses sight of a subscription with their last device there, and its host learns of the end', async () => {
    const mia = await member(1);
    const { id: keyId } = (await add(mia, `gone-${count}`)).data!;
    const body = { subscriptionId, userId: mia.userId, devices: 0 };
    expect((await owner.client.team.setAllowance({ body })).code).toBe('0000');
    expect(await partOf(mia)).toMatchObject([{ devices: 0, keyCount: 1, canAdd: false }]);
    const revision = async () =>
      (await shop.db.selectFrom('host').select('revision').executeTakeFirstOrThrow()).revision;
    // The device itself is on its host.
    await until(
      async () =>
        !(await mia.client.member.subscription({ query: { id: subscriptionId } })).data!.keys[0]!.settingUp,
      'the device on its host',
    );
    const before = await revision();
    expect((await mia.client.subscription.deleteKey({ body: { subscriptionId, keyId } })).code).toBe('0000');
    expect(await partOf(mia)).toEqual([]);
    expect((await mia.client.member.subscription({ query: { id: subscriptionId } })).code).toBe('6006');
    await until(async () => (await revision()) > before, 'the next revision of the host');
  });

  test('hears of what they have a part in, and of nothing else', async () => {
    const [mia, zoe] = [await member(1), await member()];
    const heard: string[] = [];
    const sockets = await Promise.all([mia, zoe].map(({ token }) => openSocket(shop, token)));
    sockets.forEach((socket, index) => {
      socket.onAny(event => heard.push(`${['mia', 'zoe'][index]} ${event}`));
    });
    await owner.client.subscription.renameSubscription({ body: { id: subscriptionId, label: 'Office' } });
    await until(async () => heard.includes('mia SUBSCRIPTION'), 'the event');
    await owner.client.team.setAllowance({ body: { subscriptionId, userId: zoe.userId, devices: 1 } });
    await until(async () => heard.includes('zoe SUBSCRIPTION'), 'the event of a new number');
    expect(heard).toEqual(['mia SUBSCRIPTION', 'zoe SUBSCRIPTION']);
    for (const socket of sockets) socket.disconnect();
  });
});

describe('owners and buyers', () => {
  test('a buyer changes a member’s number and sees who has how many devices', async () => {
    const mia = await member(1);
    const buyer = await newColleague(shop, owner.client, `buyer-${count}@example.com`, 'buyer');
    const set = (userId: string, devices: number, id = subscriptionId) =>
      buyer.client.team.setAllowance({ body: { userId, subscriptionId: id, devices } });
    expect((await set(mia.userId, 2)).code).toBe('0000');
    expect((await set(buyer.userId, 2)).code).toBe('6001');
    expect((await set(mia.userId, 2, 'sub_unknown')).code).toBe('6006');
    const { people } = (await buyer.client.team.allowances({ query: { subscriptionId } })).data!;
    expect(people.find(({ userId }) => userId === mia.userId)).toMatchObject({ devices: 2, keyCount: 0 });
    expect(people.find(({ isYou }) => isYou)).not.toHaveProperty('devices');
    const listed = (await owner.client.team.people()).data!.people;
    expect(listed.find(({ userId }) => userId === mia.userId)!.allowances).toEqual([
      { subscriptionId, devices: 2 },
    ]);
  });

  test('a buyer who becomes a member keeps their devices as their number, until they are a buyer again', async () => {
    const buyer = await newColleague(shop, owner.client, `turning-${++count}@example.com`, 'buyer');
    const body = { subscriptionId, name: `turning-${count}` };
    expect((await buyer.client.subscription.addKey({ body })).code).toBe('0000');
    const setRole = (role: 'member' | 'buyer', userId = buyer.userId) =>
      owner.client.team.setRole({ body: { userId, role } });
    expect((await setRole('member')).code).toBe('0000');
    expect(await partOf(buyer)).toMatchObject([{ devices: 1, keyCount: 1, canAdd: false }]);
    expect((await buyer.client.subscription.mySubscription({ body: {} })).code).toBe('8002');
    expect((await setRole('buyer')).code).toBe('0000');
    const numbers = shop.db.selectFrom('device_allowance').select('devices');
    expect(await numbers.where('user_id', '=', buyer.userId).execute()).toEqual([]);
  });

  test('a removed member’s devices and number end', async () => {
    const mia = await member(2);
    const { id } = (await add(mia, `removed-${count}`)).data!;
    expect((await owner.client.team.remove({ body: { userId: mia.userId } })).code).toBe('0000');
    const key = shop.db.selectFrom('vpn_key').select('deleted_at').where('id', '=', id);
    expect(await key.executeTakeFirst()).toEqual({ deleted_at: expect.any(Date) });
    const numbers = shop.db.selectFrom('device_allowance').select('devices');
    expect(await numbers.where('user_id', '=', mia.userId).execute()).toEqual([]);
  });

  test('a device added for somebody is theirs, and a link in their email gives its file once within 3 days', async () => {
    const mia = await member();
    const addFor = (userId: string, name: string) =>
      owner.client.subscription.addKeyFor({ body: { subscriptionId, userId, name } });
    const linkOf = async (name: string) => {
      expect((await addFor(mia.userId, name)).code).toBe('0000');
      const { Text } = await until(async () => {
        const email = await emailTo(shop, mia.email, /set up for you/);
        return email.Text.includes(name) && email;
      }, 'the link');
      return /\/file\?token=([\w-]{43})/.exec(Text)![1]!;
    };
    expect((await addFor('cus_nobody', 'nobodys')).code).toBe('6001');
    const fetchFile = (token: string) => shop.client.subscription.fetchKey({ body: {} }, bearer(token));
    const token = await linkOf(`given-${count}`);
    expect(await partOf(mia)).toMatchObject([{ devices: 0, keyCount: 1, canAdd: false }]);
    expect((await fetchFile(token)).data!.profile).toContain('BEGIN PRIVATE KEY');
    expect((await fetchFile(token)).code).toBe('8003');
    const late = await linkOf(`late-${count}`);
    shop.clock.advance(3 * 24 * 60 * 60_000);
    expect((await fetchFile(late)).code).toBe('8003');
  });
});
