import { until } from '@fixpoint/testkit/buyer.ts';
import { type FakeHcloud, startFakeHcloud } from '@fixpoint/testkit/fake-hcloud.ts';
import { type FakeHost, startFakeHost } from '@fixpoint/testkit/fake-host.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { liveBus } from '../../src/adapters/postgres-bus.ts';
import { migrateHost } from '../../src/modules/provisioning/index.ts';
import type { Jobs } from '../../src/ports/jobs.ts';
import { shopCommand } from '../helpers/shop-command.ts';

/** Commands that migrate, replace and retire hosts; one customer keeps their address throughout. */
let shop: TestShop;
let customer: Awaited<ReturnType<TestShop['customer']>>;
let keyId: string;
let hcloud: FakeHcloud;
const hosts: FakeHost[] = [];
const add = async (name: string) => {
  const { subscriptionId } = customer;
  return (await customer.client.subscription.addKey({ body: { subscriptionId, name } })).data!.id;
};
beforeAll(async () => {
  hcloud = await startFakeHcloud([11, 12], ['198.51.100.200', '198.51.100.201']);
  shop = await startTestShop({
    LOG_LEVEL: 'silent',
    HCLOUD_TOKEN: hcloud.token,
    HCLOUD_URL: hcloud.url,
  });
  customer = await shop.customer('mover', 'plus');
  keyId = await add('phone');
  const body = { id: customer.subscriptionId, forward: { port: 8080, keyId } };
  await customer.client.subscription.forwardPort({ body });
});
afterAll(async () => {
  for (const host of hosts) await host.stop();
  await shop?.stop();
  await hcloud?.stop();
});

const host = (...args: string[]) => shopCommand(shop, 'host', ...args);
const lastLine = ({ stdout }: { stdout: string }) => stdout.trim().split('\n').at(-1)!;
/** Starts a machine that enrols with the token which a command printed. */
async function machine(command: ReturnType<typeof host>): Promise<FakeHost> {
  // Reports are dated by the shop clock; commands compare with the system clock.
  shop.clock.advance(Date.now() - shop.clock.now().getTime());
  const started = await startFakeHost({ socketPath: shop.agentSocket }, lastLine(await command));
  hosts.push(started);
  return started;
}
const PLACE = ['--provider', 'demo', '--region', 'th-bkk', '--vendor', 'fixpoint'];
const served = (by: FakeHost) => by.set()?.subscriptions.map(({ id }) => id) ?? [];
const serves = (by: FakeHost) =>
  until(async () => served(by).includes(customer.subscriptionId), 'the host serves the customer');
/** Remote of a configuration file that is downloaded now. */
const dials = async () => {
  const { subscriptionId } = customer;
  const { data } = await customer.client.subscription.downloadKey({ body: { subscriptionId, keyId } });
  return data!.profile.match(/^remote .*$/m)![0];
};
/** Begins a migration as the command does, without watching it. */
async function moveRows(from: string, to: string): Promise<void> {
  const jobs: Jobs = { enqueue: async () => {}, enqueueAll: async () => {} };
  const { db, clock } = shop;
  await migrateHost({ db, clock, live: liveBus, jobs }, { from, to });
}
const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms));

test.each([
  ['long ago', () => 1],
  // The next change of the shop would reach the revision of the host.
  ['a moment ago', (known: number) => known - 1],
] as const)(
  'FV4 a shop restored from a backup of %s advances past the revision of its host and raises an alert',
  async (when, revisionOf) => {
    const deleted = await add(`laptop-${when.length}`);
    const keys = () => shop.host.set()?.subscriptions[0]?.keys.map(({ id }) => id) ?? [];
    await until(async () => keys().includes(deleted), 'the key is at its host');
    const known = shop.host.set()!.revision;
    const [revision, restored] = [revisionOf(known), shop.host.restored()];
    await shop.db.updateTable('host').set({ revision, applied_revision: revision }).execute();
    const { subscriptionId } = customer;
    await customer.client.subscription.deleteKey({ body: { subscriptionId, keyId: deleted } });
    await until(async () => shop.host.set()!.revision > known, 'a newer revision');
    await until(async () => !keys().includes(deleted), 'the key is gone');
    // The host then still refuses what was deleted after the backup.
    expect(shop.host.restored()).toBe(restored + 1);
    expect((await shopCommand(shop, 'alerts')).stdout).toContain('host.overtaken  bkk-1');
    // Later changes continue from there.
    const next = await add(`tablet-${when.length}`);
    await until(async () => keys().includes(next), 'the next key is at its host');
    expect(shop.host.set()!.restored).toBe(undefined);
  },
);

test('FV6 a replaced machine stops first, and the new one gets everything that it ran', async () => {
  // The machine knows that it is fenced, and cannot confirm yet that its tunnels are down.
  shop.host.silence(true);
  const next = await machine(host('replace', '--host', 'bkk-1', '--yes'));
  await pause(1000);
  expect(served(next)).toEqual([]);
  expect((await host('show', '--host', 'bkk-1')).stdout).toContain(
    'a previous machine of it may serve until',
  );
  shop.host.silence(false);
  await serves(next);
  expect(shop.host.isFenced()).toBe(true);
  expect(served(shop.host)).toEqual([]);
});

const PLANNED = /^Would move 203\.0\.113\.0\/24 with 1 subscriptions from bkk-1 to bkk-2\./;

test('FV14 K14 a migrated address is served by the next host once the first has stopped, and files and port stay', async () => {
  const [old] = hosts as [FakeHost];
  const dialled = await dials();
  const settings = ['--pool', '198.51.100.0/28', '--machine', '192.0.2.70'];
  const next = await machine(host('add', '--host', 'bkk-2', ...PLACE, ...settings));
  expect((await host('drain', '--host', 'bkk-1')).stdout).toContain('Subscriptions on it: 1');
  expect((await host('retire', '--host', 'bkk-1')).stderr).toContain(
    'npm run shop -- host move --host bkk-1 --to HOST',
  );
  // Shows first what it would do, and changes nothing.
  const planned = await host('move', '--host', 'bkk-1', '--to', 'bkk-2');
  expect(planned).toMatchObject({ code: 1, stdout: expect.stringMatching(PLANNED) });
  expect(planned.stdout).toContain('Nothing was changed.');
  expect(served(old)).toEqual([customer.subscriptionId]);
  const moved = await host('move', '--host', 'bkk-1', '--to', 'bkk-2', '--yes');
  expect(moved).toMatchObject({ code: 1, stderr: '' });
  expect(moved.stdout.split('\n')).toEqual([
    expect.stringMatching(PLANNED),
    '203.0.113.0/24 move from bkk-1 to bkk-2, with 1 subscriptions.',
    '203.0.113.0/24: bkk-1 has stopped serving it.',
    '203.0.113.0/24: bkk-2 serves all 1.',
    'On your router: ip route replace 203.0.113.0/24 via 192.0.2.70',
    'When your router does so, run:',
    'npm run shop -- host move --host bkk-1 --to bkk-2 --routed',
    'The move continues by itself. To see its progress, run:',
    'npm run shop -- host show --host bkk-2',
    '',
  ]);
  expect(served(old)).toEqual([]);
  // The client is told to reconnect, not to stop.
  expect(old.set()!.moved).toEqual([customer.subscriptionId]);
  await serves(next);
  expect(await dials()).toBe(dialled);
  const [arrived] = next.set()!.subscriptions;
  expect(arrived).toMatchObject({ publicAddress: dialled.split(' ')[1], port: 1194 });
  expect(arrived!.keys.find(({ id }) => id === keyId)).toMatchObject({ forwardedPort: 8080 });
  const { offers } = (await shop.client.order.getVendor({ query: {} })).data!;
  expect(offers.filter(({ available, waits }) => available && !waits)).toHaveLength(1);

  const routed = await host('move', '--host', 'bkk-1', '--to', 'bkk-2', '--routed', '--yes');
  expect(routed).toMatchObject({ code: 0 });
  expect(routed.stdout).toContain("The move to bkk-2 is complete. The customers' files stay valid.");
  expect((await host('retire', '--host', 'bkk-1', '--yes')).code).toBe(0);
  await until(async () => old.isFenced(), 'the retired machine is told to stop');
  expect((await host('list', '--retired')).stdout).toMatch(
    /^bkk-1 {2}retired {2}0 of 2039 subscriptions {2}0 of 0 addresses free .*\nbkk-2 {2}up/,
  );
});

test('FV14 an invalid move is refused with the correct form, and changes nothing', async () => {
  const rows = () =>
    Promise.all([
      shop.db.selectFrom('host').select(['id', 'status']).orderBy('id').execute(),
      shop.db.selectFrom('address_pool').select(['id', 'host_id', 'routed']).orderBy('id').execute(),
      shop.db.selectFrom('static_ip').select(['address', 'bind_address']).orderBy('address').execute(),
    ]);
  const before = await rows();
  const range = ['--pool', '203.0.113.0/24'];
  const wrong = [
    [['--to', 'bkk-9', '--off'], 'There is no host bkk-9.'],
    [['--to', 'bkk-1', '--off'], 'bkk-1 is not available: its status is retired'],
    [['--to', 'bkk-2', '--off'], 'The addresses are on bkk-2 already.'],
    [['--to', 'bkk-1', '--routed'], 'from bkk-2 to bkk-1. Moving now: none'],
    [['--to', 'bkk-1', '--routed', '--off'], 'from bkk-2 to bkk-1. Moving now: none'],
    [
      ['--to', 'bkk-1', '--routed', ...range, '--bind', '10.0.0.0/24'],
      '--bind belongs to the beginning of a move',
    ],
  ] as const;
  for (const [args, says] of wrong) {
    const { code, stdout, stderr } = await host('move', '--host', 'bkk-2', ...args);
    expect({ code, stdout }, args.join(' ')).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(says);
  }
  expect(await rows()).toEqual(before);
});

test('FV6 a lost host delays the next one until the operator asserts that it is off', async () => {
  const [, lost] = hosts as [FakeHost, FakeHost];
  const next = await machine(host('add', '--host', 'bkk-3', ...PLACE, '--pool', '192.0.2.128/28'));
  await lost.stop();
  await moveRows('bkk-2', 'bkk-3');
  await pause(1000);
  expect(served(next)).toEqual([]);
  const moved = await host('move', '--host', 'bkk-2', '--to', 'bkk-3', '--off', '--yes');
  expect(moved.stdout).toMatch(
    /You declare that the machine of bkk-2 is off: .* and bkk-2 is retired for good\./,
  );
  expect(moved.stdout).toContain('bkk-2 is retired, because you declared that its machine is off.');
  await serves(next);
});

test('a floating IP is assigned to its host by the provider’s API when it is added and when it moves', async () => {
  const server = (number: string) => ['--routing', 'hcloud', '--machine', number];
  const address = '198.51.100.200/32';
  const at = () => hcloud.ips[0]!.server;
  await machine(host('add', '--host', 'fsn-1', ...PLACE, ...server('11'), '--pool', address));
  // Its report triggers the routing of its ranges.
  await until(async () => at() === 11, 'it is assigned to the new host');
  await machine(host('add', '--host', 'fsn-2', ...PLACE, ...server('12'), '--pool', '198.51.100.201/32'));
  const moved = await host('move', '--host', 'fsn-1', '--to', 'fsn-2', '--yes');
  expect(moved.stderr).toBe('');
  expect(moved.code, moved.stdout).toBe(0);
  expect(at()).toBe(12);
});

test('FV23 a diskless machine enrols at every boot, is served at once, and never after it was retired', async () => {
  const added = host('add', '--host', 'ram-1', ...PLACE, '--pool', '198.51.100.128/28', '--diskless');
  const boots = () => machine(added);
  const first = await boots();
  await until(async () => first.set() !== undefined, 'the first machine has its set');
  // It cannot confirm that it stopped: it was switched off.
  first.silence(true);
  const next = await boots();
  await until(
    async () => next.set() !== undefined,
    'the next machine has its set without waiting for the first',
  );
  expect((await host('show', '--host', 'ram-1')).stdout).not.toContain('an earlier machine');
  await host('retire', '--host', 'ram-1', '--off', '--yes');
  await expect(boots()).rejects.toThrow('403');
});
