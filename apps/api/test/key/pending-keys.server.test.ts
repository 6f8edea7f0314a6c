import { until } from '@fixpoint/testkit/buyer.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { subscriber } from '../subscription/renewing.ts';

/** What a customer is told of a device while its host has not applied a change. */
let shop: TestShop;
let anna: Awaited<ReturnType<typeof subscriber>>;
beforeAll(async () => {
  shop = await startTestShop();
  anna = await subscriber(shop, 'anna');
});
afterAll(() => shop?.stop());

const id = () => anna.subscriptionId;
const detail = async () => (await anna.client.subscription.getSubscription({ query: { id: id() } })).data!;
const settingUp = async () => (await detail()).keys.flatMap(key => (key.settingUp ? [key.name] : []));
const add = async (name: string) =>
  (await anna.client.subscription.addKey({ body: { subscriptionId: id(), name } })).data!;
const remove = (keyId: string) =>
  anna.client.subscription.deleteKey({ body: { subscriptionId: id(), keyId } });
const download = async (keyId: string, more: object = {}) =>
  (await anna.client.subscription.downloadKey({ body: { subscriptionId: id(), keyId, ...more } })).data!;
/** The host takes what it is given, and says nothing. */
async function whileSilent(work: () => Promise<void>): Promise<void> {
  shop.host.silence(true);
  await work();
  shop.host.silence(false);
  await shop.host.report();
}
const keyOnHost = (keyId: string) =>
  shop.host
    .set()
    ?.subscriptions.flatMap(({ keys }) => keys)
    .find(key => key.id === keyId);
const diagnosed = async (check: string) => {
  const body = { id: id(), deviceTime: new Date().toISOString() };
  const { checks } = (await anna.client.subscription.diagnose({ body })).data!;
  return checks.find(one => one.check === check);
};

test('K21 a key is being set up until its host has reported the revision that holds it', async () => {
  const first = await add('phone');
  expect(first.settingUp).toBe(true);
  await until(async () => (await settingUp()).length === 0, 'the first key');
  await whileSilent(async () => {
    const second = await add('laptop');
    await until(async () => keyOnHost(second.id) !== undefined, 'the host to have it');
    // It has the set and has not said that it runs it. Another change of the subscription changes nothing.
    await download(first.id, { revokeEarlier: true });
    expect(await settingUp()).toEqual(['laptop']);
    expect(await diagnosed('key')).toMatchObject({
      verdict: 'note',
      cause: 'settingUp',
      keyIds: [second.id],
    });
    // Its last report is seconds old, and it does not answer: unknown, not good.
    expect(await diagnosed('host')).toEqual({ check: 'host', verdict: 'unknown', cause: 'noAnswer' });
  });
  expect(await settingUp()).toEqual([]);
  expect(await diagnosed('host')).toEqual({ check: 'host', verdict: 'good' });
});

test('K22 a deleted key is listed as ending until its host has confirmed that', async () => {
  const key = (await detail()).keys.find(({ name }) => name === 'laptop')!;
  await whileSilent(async () => {
    expect((await remove(key.id)).code).toBe('0000');
    await until(async () => keyOnHost(key.id) === undefined, 'the host to have the set without it');
    const { keys, ending } = await detail();
    expect(keys.map(({ name }) => name)).toEqual(['phone']);
    expect(ending).toEqual([{ id: key.id, name: 'laptop' }]);
  });
  expect((await detail()).ending).toEqual([]);
});

test('K23 the choice to stay offline is in the file, holds for the next ones, and reaches the host', async () => {
  const { id: keyId } = await add('desktop');
  const line = '\nsetenv opt auth-retry nointeract\n';
  const choice = async () => (await detail()).keys.find(key => key.id === keyId)!.blockWhenEnded;
  expect((await download(keyId)).profile).not.toContain(line);
  expect(await choice()).toBe(false);
  expect((await download(keyId, { blockWhenEnded: true })).profile).toContain(line);
  expect((await download(keyId)).profile).toContain(line);
  await until(async () => keyOnHost(keyId)?.blockWhenEnded === true, 'the host to know');
  expect(await choice()).toBe(true);
  // Another device that follows a link gets what was chosen beside it.
  const body = { subscriptionId: id(), keyId, blockWhenEnded: false };
  const { token } = (await anna.client.subscription.linkKey({ body })).data!;
  const fetched = await anna.client.subscription.fetchKey({}, { authorization: `Bearer ${token}` });
  expect(fetched.data!.profile).not.toContain(line);
  await until(async () => keyOnHost(keyId)?.blockWhenEnded === undefined, 'the host to know');
});
