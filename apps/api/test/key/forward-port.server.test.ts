import { until } from '@fixpoint/testkit/buyer.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkDatabase } from '../../src/modules/books/index.ts';
import { buyPlan, orderPlan } from '../checkout/upgrading.ts';
import { followed } from '../subscription/renewing.ts';

type Customer = Awaited<ReturnType<TestShop['customer']>>;
type Forward = { port: number; keyId: string };
let shop: TestShop;
let alice: Customer;
let bob: Customer;
let carol: Customer;
let phone: string;
let laptop: string;
beforeAll(async () => {
  shop = await startTestShop();
  alice = await shop.customer('alice', 'plus');
  // This plan includes no forwarded port.
  bob = await shop.customer('bob');
  carol = await shop.customer('carol', 'plus');
  [phone, laptop] = [await add('phone'), await add('laptop')];
});
afterAll(() => shop?.stop());

const add = async (name: string, { client, subscriptionId } = alice) =>
  (await client.subscription.addKey({ body: { subscriptionId, name } })).data!.id;
const lead = (forward: Forward | null, { client } = alice, of = alice) =>
  client.subscription.forwardPort({ body: { id: of.subscriptionId, forward } });
const detail = async ({ client, subscriptionId: id } = alice) =>
  (await client.subscription.getSubscription({ query: { id } })).data!;
/** Forwarded ports of all subscriptions on the host. */
const onHost = () =>
  shop.host
    .set()
    ?.subscriptions.flatMap(({ keys }) =>
      keys.flatMap(({ id, forwardedPort: port }) => (port ? [{ port, keyId: id }] : [])),
    );
const events = async () => (await detail()).history.map(({ event }) => event);

test('a port is closed until it is opened, leads to one device at a time, and reaches the host', async () => {
  expect((await detail()).forward).toBeUndefined();
  expect(onHost()).toEqual([]);
  for (const forward of [
    { port: 8080, keyId: phone },
    { port: 8080, keyId: laptop },
    { port: 25_565, keyId: laptop },
  ]) {
    expect((await lead(forward)).code).toBe('0000');
    expect((await detail()).forward).toEqual(forward);
    await expect.poll(onHost).toEqual([forward]);
  }
  expect((await events()).slice(0, 3)).toEqual(['openPort', 'openPort', 'openPort']);
  await lead(null);
  expect((await detail()).forward).toBeUndefined();
  await expect.poll(onHost).toEqual([]);
  expect((await events())[0]).toBe('closePort');
});

test('a request that changes nothing neither reaches the host nor adds to the history', async () => {
  const forward = { port: 8080, keyId: phone };
  await Promise.all([1, 2, 3].map(() => lead(forward)));
  await expect.poll(onHost).toEqual([forward]);
  const { revision } = shop.host.set()!;
  const before = await events();
  await lead(forward);
  await add('after');
  await expect.poll(() => shop.host.set()!.revision).toBe(revision + 1);
  expect(await events()).toEqual(before);
  expect(before.filter(event => event === 'openPort')).toHaveLength(4);
});

test('system ports and those of the VPN itself are refused with a field error', async () => {
  for (const port of [0, 22, 443, 1023, 65_536, 8080.5]) {
    const answer = await lead({ port, keyId: phone });
    expect(answer, `${port}`).toMatchObject({ status: 400, code: '7004' });
    expect(answer.data).toEqual({ fields: { 'forward.port': 'form.port.invalid' } });
  }
  await shop.db.updateTable('address_pool').set({ tcp_port: 8443 }).execute();
  for (const port of [1194, 8443]) {
    const answer = await lead({ port, keyId: phone });
    expect(answer.data, `${port}`).toEqual({ fields: { 'forward.port': 'form.port.taken' } });
  }
  expect((await detail()).forward).toEqual({ port: 8080, keyId: phone });
});

test('S29 another customer’s subscription and devices are answered like ones that do not exist', async () => {
  const theirs = await add('tablet', carol);
  expect(await lead({ port: 9090, keyId: theirs }, carol)).toMatchObject({ status: 400, code: '6006' });
  expect(await lead(null, carol)).toMatchObject({ code: '6006' });
  for (const keyId of [theirs, 'key_nobodys'])
    expect(await lead({ port: 9090, keyId })).toMatchObject({ status: 400, code: '6005' });
  expect((await detail()).forward).toEqual({ port: 8080, keyId: phone });
  expect((await detail(carol)).forward).toBeUndefined();
  // The same port of another static IP is independent.
  await lead({ port: 8080, keyId: theirs }, carol, carol);
  await expect.poll(onHost).toHaveLength(2);
  await lead(null, carol, carol);
});

test('a plan without port forwarding refuses it, and its page does not offer it', async () => {
  const keyId = await add('phone', bob);
  expect(await lead({ port: 8080, keyId }, bob, bob)).toMatchObject({ status: 403, code: '8002' });
  expect((await detail(bob)).allowedActions).not.toContain('forwardPort');
  expect((await detail()).allowedActions).toContain('forwardPort');
});

test('the port closes when its device is deleted, and another device can have it', async () => {
  const { client, subscriptionId } = alice;
  await client.subscription.deleteKey({ body: { subscriptionId, keyId: phone } });
  expect((await detail()).forward).toBeUndefined();
  await expect.poll(onHost).toEqual([]);
  expect((await lead({ port: 8080, keyId: phone })).code).toBe('6005');
  expect((await lead({ port: 8080, keyId: laptop })).code).toBe('0000');
  expect((await detail()).forward).toEqual({ port: 8080, keyId: laptop });
});

test('an upgrade that awaits payment keeps the port', async () => {
  const dora = await followed(shop, await shop.customer('dora', 'plus'));
  const client = await dora.now();
  const keyId = await add('phone', { ...alice, client, subscriptionId: dora.subscriptionId });
  const consent = await orderPlan(client, dora, 'team');
  await client.subscription.forwardPort({
    body: { id: dora.subscriptionId, forward: { port: 8080, keyId } },
  });
  await buyPlan(client, consent);
  await until(async () => (await dora.row()).devices === 15, 'the Team plan');
  const { data } = await client.subscription.getSubscription({ query: { id: dora.subscriptionId } });
  expect(data!.forward).toEqual({ port: 8080, keyId });
});

test('the books have no difference with a forwarded port', async () => {
  expect(await checkDatabase(shop.db, shop.clock.now())).toEqual([]);
});
