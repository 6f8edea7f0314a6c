import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { subscriber } from './renewing.ts';

/** “Why does my VPN not work?”, and outdated files. */
const DAY_MS = 24 * 60 * 60_000;
let shop: TestShop;
let anna: Awaited<ReturnType<typeof subscriber>>;
let keyId: string;
const logged: string[] = [];
beforeAll(async () => {
  shop = await startTestShop({ LOG_LEVEL: 'debug', LIMITS_SCALE: '1' }, line => logged.push(line));
  anna = await subscriber(shop, 'anna');
});
afterAll(() => shop?.stop());

const id = () => anna.subscriptionId;
const diagnose = async (deviceTime = new Date(), client = anna.client) =>
  client.subscription.diagnose({ body: { id: id(), deviceTime: deviceTime.toISOString() } });
/** Failed checks as `check: verdict cause`. */
async function wrong(deviceTime?: Date): Promise<string[]> {
  const { checks } = (await diagnose(deviceTime)).data!;
  return checks
    .filter(({ verdict }) => verdict !== 'good')
    .map(({ check, verdict, cause }) => `${check}: ${verdict}${cause ? ` ${cause}` : ''}`);
}
const detail = async () => (await anna.client.subscription.getSubscription({ query: { id: id() } })).data!;
const download = (more: object = {}) =>
  anna.client.subscription.downloadKey({ body: { subscriptionId: id(), keyId, ...more } });
const unsaid = 'path: unknown';

test('K19 a customer is led from no device over no file to a connected device', async () => {
  expect(await wrong()).toEqual(['key: bad noKey', 'file: unknown', 'seen: note nothingSeen', unsaid]);
  const added = await anna.client.subscription.addKey({ body: { subscriptionId: id(), name: 'phone' } });
  keyId = added.data!.id;
  expect(await wrong()).toEqual(['file: bad noFile', 'seen: note nothingSeen', unsaid]);
  await download();
  shop.host.setDevices([{ outcome: 'connected', keyId }]);
  expect(await wrong()).toEqual([]);
});

test('K19 S81 K10 the connections that a host sees are shown to the customer, and are in no table and no log', async () => {
  for (const outcome of ['refused', 'unknownKey', 'unanswered'] as const) {
    shop.host.setDevices([{ outcome, keyId: 'key_secretcanary1' }]);
    expect(await wrong(), outcome).toContain(`seen: bad ${outcome}`);
  }
  expect(logged.join('\n')).not.toContain('key_secretcanary1');
  for (const { schema = 'public', name } of await shop.db.introspection.getTables()) {
    const { rows } = await sql`select * from ${sql.table(`${schema}.${name}`)}`.execute(shop.db);
    expect(JSON.stringify(rows), name).not.toContain('key_secretcanary1');
  }
  // Another customer gets the same answer as for an unknown subscription.
  const ben = await shop.customer('ben');
  expect(await diagnose(new Date(), ben.client)).toMatchObject({ code: '6006' });
});

test('K21 a host that does not answer in time is unknown; a silent host is reported with its time', async () => {
  shop.host.setDevices(undefined);
  expect(await wrong()).toEqual(['host: unknown noAnswer', 'seen: unknown', unsaid]);
  shop.host.silence(true);
  shop.clock.advance(4 * 60_000);
  const { checks } = (await diagnose()).data!;
  expect(checks[3]).toMatchObject({ check: 'host', verdict: 'bad', cause: 'hostSilent' });
  expect(Date.parse(checks[3]!.since!)).toBeLessThan(shop.clock.now().getTime() - 3 * 60_000);
  shop.host.silence(false);
  await shop.host.report();
  shop.host.setDevices([{ outcome: 'connected', keyId }]);
  expect(await wrong()).toEqual([]);
});

test("a wrong clock is detected from the device's time", async () => {
  expect(await wrong(new Date(Date.now() - 2 * DAY_MS))).toEqual(['clock: bad clockOff']);
});

test('K19 a file that two devices use in turn is named, and one that was just let in is not good yet', async () => {
  shop.host.setDevices([{ outcome: 'connected', keyId, justConnected: true }]);
  expect(await wrong()).toEqual(['seen: note justConnected']);
  shop.host.setDevices([{ outcome: 'connected', keyId, justConnected: true, usedTwice: true }]);
  const { checks } = (await diagnose()).data!;
  expect(checks[4]).toEqual({ check: 'seen', verdict: 'bad', cause: 'usedTwice', keyIds: [keyId] });
  shop.host.setDevices([{ outcome: 'connected', keyId }]);
});

test('a customer restarts the server process of their own subscription at most six times an hour', async () => {
  expect(await anna.client.subscription.restartServer({ body: { id: id() } })).toMatchObject({
    data: { restarted: true },
  });
  expect(shop.host.restarted).toEqual([id()]);
  for (let n = 0; n < 5; n++) await anna.client.subscription.restartServer({ body: { id: id() } });
  expect(await anna.client.subscription.restartServer({ body: { id: id() } })).toMatchObject({
    status: 429,
    code: '9905',
  });
  expect(shop.host.restarted).toHaveLength(6);
});

test('K20 a file states its version, and is outdated once new files differ; a new one is not', async () => {
  const version = (text: string) => text.match(/^# Profile ([0-9a-f]{12})$/m)?.[1];
  const first = version((await download()).data!.profile);
  expect(first).toBeDefined();
  expect((await detail()).keys[0]).toMatchObject({ outdated: false });
  const small = (await download({ smallPackets: true })).data!.profile;
  expect(small).toContain('\nmssfix 1200\n');
  // The file depends on the customer's choice but has the same version.
  expect(version(small)).toBe(first);

  await shop.db.updateTable('address_pool').set({ port: 1195 }).execute();
  expect((await detail()).keys[0]).toMatchObject({ outdated: true });
  expect(await wrong()).toEqual(['file: note fileOutdated']);
  const newer = (await download()).data!.profile;
  expect(newer).toContain(' 1195 udp\n');
  expect(version(newer)).not.toBe(first);
  expect((await detail()).keys[0]).toMatchObject({ outdated: false });
});

test('FV17 a Linux file uses DNS through the tunnel, which does not make it outdated', async () => {
  const added = await anna.client.subscription.addKey({
    body: { subscriptionId: id(), name: 'linux', device: 'linux' },
  });
  const keyId = added.data!.id;
  const file = await anna.client.subscription.downloadKey({ body: { subscriptionId: id(), keyId } });
  expect(file.data!.profile).toMatch(/^up "\/bin\/sh /m);
  expect((await download()).data!.profile).not.toMatch(/^up /m);
  const { keys } = await detail();
  expect(keys.map(({ outdated }) => outdated)).toEqual([false, false]);
});
