import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@fixpoint/dev-stack/ports.ts';
import { type Stack, startStack } from '@fixpoint/dev-stack/stack.ts';
import { type Customer, connectCustomer } from '@fixpoint/sandbox/internet/customer.ts';
import { buyAsVisitor, logInByEmail, PASSWORD, until } from '@fixpoint/testkit/buyer.ts';
import type { TestClient } from '@fixpoint/testkit/client.ts';
import { connectSoon } from '@fixpoint/testkit/connect-soon.ts';
import { watchSlowness } from '@fixpoint/testkit/slowness.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newColleague } from '../apps/api/test/team/people.ts';

/**
 * Time from the click to the last packet (S76), through API, database, agent and OpenVPN, for each way in which access ends.
 */
/** Each round ends access in every way. */
const ROUNDS = [1, 2, 3];
let folder: string;
let stack: Stack;
const connected: Customer[] = [];
/** Way in which access ended → milliseconds from the click to the last packet. */
const lastPacketMs: Record<string, number[]> = {};
/** Milliseconds from the click until the drift metric is zero. */
const driftMs: number[] = [];
/** Endings within the promised time. */
let inTime = 0;
let metrics: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fixpoint-click-'));
  const metricsPort = await freePort();
  metrics = `http://127.0.0.1:${metricsPort}/metrics`;
  const env = {
    SEED: 'demo',
    LIMITS_SCALE: '1000',
    HUMAN_CHECK_COST: '1',
    WITHDRAWAL: 'DE:days',
    METRICS_PORT: String(metricsPort),
  };
  stack = await startStack({ dataDir: folder, region: true, durable: false, env });
  if ('obstacle' in stack.region) throw new Error(`The demo region does not start: ${stack.region.obstacle}`);
});
afterAll(async () => {
  await Promise.all(connected.map(customer => customer.stop()));
  await stack?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Connects a device that sends an echo every 5 ms. */
async function connect(profile: string): Promise<Customer> {
  const { region } = stack;
  if ('obstacle' in region) throw new Error(region.obstacle);
  const device = await connectSoon({ region, profile, timeoutMs: 60_000 });
  connected.push(device);
  await device.watch();
  await until(async () => (await device.lastEcho()) > 0, 'an echo');
  return device;
}

const shop = () => ({ url: stack.url, sandboxUrl: stack.sandbox!.url });

/** Adds a device to a subscription and connects it. */
async function connectDevice(client: TestClient, subscriptionId: string, name: string) {
  const added = await client.subscription.addKey({ body: { subscriptionId, name } });
  const { id } = added.data!;
  const file = await client.subscription.downloadKey({ body: { subscriptionId, keyId: id } });
  const { profile } = file.data!;
  return { id, profile, device: await connect(profile) };
}

/** A customer with one subscription and a number of connected devices. */
async function customer(name: string, planId: string, devices: number) {
  const place = shop();
  await buyAsVisitor(place, `${name}@example.com`, { planId });
  const { client } = await logInByEmail(place, `${name}@example.com`);
  const { id: subscriptionId } = await until(async () => {
    const [item] = (await client.subscription.mySubscription({ body: {} })).data!.items;
    return item?.status === 'active' && item;
  }, 'an active subscription');
  const keys: Awaited<ReturnType<typeof connectDevice>>[] = [];
  for (let n = 0; n < devices; n++) keys.push(await connectDevice(client, subscriptionId, `device-${n}`));
  return { client, subscriptionId, keys };
}

/** Sum of the metric for entitlement drift, which includes changes that a host has not confirmed. */
async function drift(): Promise<number> {
  const text = await (await fetch(metrics)).text();
  const found = [...text.matchAll(/^fixpoint_entitlement_drift\{host="[^"]+"\} (\d+)$/gm)];
  expect(found.length).toBeGreaterThan(1);
  return found.reduce((sum, [, number]) => sum + Number(number), 0);
}

/** Ends access, waits for it, and records the times. */
async function ends(how: string, device: Customer, click: () => Promise<{ code: string }>): Promise<void> {
  const [clicked, allowed] = [Date.now(), watchSlowness()];
  expect((await click()).code).toBe('0000');
  await until(async () => !(await device.alive()), `${how}: its tunnel is dead`);
  const dead = (await device.lastEcho()) - clicked;
  lastPacketMs[how] = [...(lastPacketMs[how] ?? []), dead];
  if (dead < allowed(300)) inTime += 1;
  // Only now, because polling the metrics would slow down what is measured.
  await until(async () => (await drift()) === 0, `${how}: no drift`);
  const resolved = Date.now() - clicked;
  driftMs.push(resolved);
  expect(resolved).toBeLessThan(allowed(5000));
}

/** Shows the refund of a withdrawal. @returns the click */
async function withdrawal(client: TestClient, id: string): Promise<() => Promise<{ code: string }>> {
  const { data: back } = await client.subscription.withdrawal({ query: { id, country: 'DE' } });
  return () => client.subscription.withdraw({ body: { id, country: 'DE', back: back! } });
}
/** Cancels the subscription. @returns the click that deletes the account */
async function accountDeletion(client: TestClient, id: string): Promise<() => Promise<{ code: string }>> {
  await client.subscription.cancelSubscription({ body: { id } });
  return () => client.auth.deleteAccount({ body: { action: 'delete', currentPassword: PASSWORD } });
}

test.each(ROUNDS)(
  'S76 access ends and is refused after removal of a person, deletion of a key, end of a subscription and deletion of an account, round %i',
  async n => {
    const anna = await customer(`anna${n}`, 'plus', 4);
    const buyer = await newColleague(shop(), anna.client, `buyer${n}@example.com`, 'buyer');
    const theirs = await connectDevice(buyer.client, anna.subscriptionId, 'theirs');
    const { userId } = buyer;
    await ends('person removed', theirs.device, () => anna.client.team.remove({ body: { userId } }));
    expect(await anna.keys[0]!.device.alive(), 'the devices of others go on').toBe(true);
    const last = anna.keys.pop()!;
    for (const { id: keyId, device } of anna.keys) {
      const body = { subscriptionId: anna.subscriptionId, keyId };
      await ends('key deleted', device, () => anna.client.subscription.deleteKey({ body }));
    }
    await ends('subscription over', last.device, await withdrawal(anna.client, anna.subscriptionId));
    const ben = await customer(`ben${n}`, 'solo', 1);
    await ends('account deleted', ben.keys[0]!.device, await accountDeletion(ben.client, ben.subscriptionId));
    for (const { profile } of [theirs, anna.keys[0]!, last, ben.keys[0]!])
      await expect(
        connectCustomer({ region: stack.region as { id: string }, profile, timeoutMs: 3000 }),
      ).rejects.toThrow();
  },
);

test('S76 at least half of the endings took up to 300 ms, and no host has drift', async () => {
  // Each host compares its kernel with its desired set meanwhile (docs/decisions/0038-entitlement-drift.md).
  await sleep(2000);
  expect(await drift()).toBe(0);
  process.stdout.write(`no entitlement drift ${driftMs.join(', ')} ms after the click\n`);
  expect(driftMs).toHaveLength(6 * ROUNDS.length);
  for (const [how, all] of Object.entries(lastPacketMs))
    process.stdout.write(`${how}: last packet ${all.join(', ')} ms after the click\n`);
  expect(Object.keys(lastPacketMs)).toHaveLength(4);
  expect(inTime).toBeGreaterThanOrEqual(driftMs.length / 2);
});
