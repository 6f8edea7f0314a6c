import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dropUdp } from '@fixpoint/agent/testing/observe.ts';
import { addMachine, runAgent } from '@fixpoint/agent/testing/second-host.ts';
import { basicEnv, root } from '@fixpoint/dev-stack/env.ts';
import { type Stack, startStack } from '@fixpoint/dev-stack/stack.ts';
import { type Customer, connectCustomer } from '@fixpoint/sandbox/internet/customer.ts';
import { namespaceOf } from '@fixpoint/sandbox/internet/namespaces.ts';
import { must } from '@fixpoint/sandbox/internet/run.ts';
import { buyAsVisitor, logInByEmail, until } from '@fixpoint/testkit/buyer.ts';
import type { TestClient } from '@fixpoint/testkit/client.ts';
import { connectSoon } from '@fixpoint/testkit/connect-soon.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

/**
 * The whole product once: a purchase, its tunnels, the migration of a host by docs/operate/hosts.md, a deleted key. A real
 * shop, two real hosts at the same place, a router that follows the instructions of the command, unaware devices.
 */
let folder: string;
let dataDir: string;
let stack: Stack;
let id: string;
const devices: Customer[] = [];
let bought: Awaited<ReturnType<typeof buy>>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fixpoint-move-'));
  dataDir = join(folder, 'shop');
  stack = await startStack({
    dataDir,
    region: true,
    durable: false,
    env: { SEED: 'demo', HUMAN_CHECK_COST: '1' },
  });
  if ('obstacle' in stack.region) throw new Error(`The demo region does not start: ${stack.region.obstacle}`);
  ({ id } = stack.region);
});
afterAll(async () => {
  await Promise.all(devices.map(device => device.stop()));
  await stack?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Runs `npm run shop -- host …`. @returns exit code and output */
const host = (...args: string[]) =>
  new Promise<{ code: unknown; says: string }>(resolve => {
    const env = { ...basicEnv(), DATA_DIR: dataDir, PORT: new URL(stack.url).port };
    execFile(
      process.execPath,
      [join(root, 'scripts/shop.ts'), 'host', ...args],
      { env },
      (error, out, said) => resolve({ code: error?.code ?? 0, says: `${out}${said}`.trim() }),
    );
  });
const onRouter = (...command: string[]) => must('ip', ['netns', 'exec', namespaceOf(id, 'net'), ...command]);

/** Buys a subscription with a key for each of two devices. */
async function buy(): Promise<{
  client: TestClient;
  subscriptionId: string;
  address: string;
  keys: { keyId: string; profile: string }[];
}> {
  const place = { url: stack.url, sandboxUrl: stack.sandbox!.url };
  await buyAsVisitor(place, 'mover@example.com', { planId: 'plus' });
  const { client } = await logInByEmail(place, 'mover@example.com');
  const { id: subscriptionId, address } = await until(async () => {
    const [item] = (await client.subscription.mySubscription({ body: {} })).data!.items;
    return item?.status === 'active' && item;
  }, 'an active subscription');
  const keys: { keyId: string; profile: string }[] = [];
  for (const name of ['phone', 'laptop']) {
    const { id: keyId } = (await client.subscription.addKey({ body: { subscriptionId, name } })).data!;
    const file = await client.subscription.downloadKey({ body: { subscriptionId, keyId } });
    keys.push({ keyId, profile: file.data!.profile });
  }
  return { client, subscriptionId, address: address!, keys };
}

async function connect(profile: string, before?: typeof dropUdp): Promise<Customer> {
  const device = await connectSoon({ region: { id }, profile, before });
  devices.push(device);
  return device;
}

/** Source addresses of a device, IPv4 and IPv6; retries, because old connections break when the host changes. */
const seen = (device: Customer) =>
  until(
    () => Promise.all([device.seenAddress(), device.seenAddress(6)]).catch(() => undefined),
    'an answer of the internet by both families',
  );

/** Enrols another machine behind the router as a host of the same place. @returns its IPv6 address */
async function addHost(): Promise<string> {
  const around = { region: { id }, dataDir: folder, onRouter };
  const machine = await addMachine(around);
  const place = ['--provider', 'demo', '--region', 'th-bkk', '--vendor', 'fixpoint'];
  const own = ['--pool', '192.0.2.192/28', '--machine', machine.address];
  const { says } = await host('add', '--host', 'bkk-2', ...place, ...own);
  runAgent(around, machine, { socket: join(dataDir, 'agent.sock'), token: says.split('\n').at(-1)! });
  await until(async () => /^bkk-2 +up /m.test((await host('list')).says), 'it has enrolled');
  return machine.address6;
}

test('FV14 K14 after a host migration devices reconnect by themselves with the same addresses, by UDP and TCP', async () => {
  bought = await buy();
  const { address, keys } = bought;
  const both = [await connect(keys[0]!.profile), await connect(keys[1]!.profile, dropUdp)];
  const seenNow = () => Promise.all(both.map(seen));
  const before = await seenNow();
  for (const [four, six] of before) {
    expect(four).toBe(address);
    expect(six).toMatch(/^2001:db8:7:/);
  }

  const machine6 = await addHost();
  const way = ['--host', 'demo', '--to', 'bkk-2', '--yes'];
  expect((await host('drain', '--host', 'demo')).code).toBe(0);
  const moved = await host('move', ...way);
  // Exits with 1, because the operator of the router has something to do.
  expect(moved.code).toBe(1);
  const [, line] = moved.says.match(/^On your router: (.+)$/m)!;
  const [, prefix6] = moved.says.match(/^Route its IPv6 prefix (\S+) to the machine of bkk-2, too\.$/m)!;
  await onRouter(...line!.split(' '));
  await onRouter('ip', 'route', 'replace', prefix6!, 'via', machine6);
  await Promise.all(both.map(device => until(() => device.alive(), 'it is back')));
  expect(await seenNow()).toEqual(before);

  const routed = await host('move', ...way, '--routed');
  expect(routed).toMatchObject({ code: 0, says: expect.stringContaining('The move to bkk-2 is complete.') });
  expect((await host('retire', '--host', 'demo', '--yes')).code).toBe(0);
  const devicesOf = () => must('ip', ['-n', namespaceOf(id, 'vpn'), '-br', 'link']);
  await until(async () => !(await devicesOf()).includes('fpt'), 'the first host has stopped its tunnels');
  expect(await seenNow()).toEqual(before);
  expect(both.map(device => device.running())).toEqual([true, true]);
});

test('S76 on the new host a deleted key is disconnected and refused, and the other device stays connected', async () => {
  const { client, subscriptionId, keys } = bought;
  const [{ keyId, profile }] = keys as [(typeof keys)[0]];
  const [deleted, other] = devices as [Customer, Customer];
  expect((await client.subscription.deleteKey({ body: { subscriptionId, keyId } })).code).toBe('0000');
  await until(async () => !(await deleted.alive()), 'its tunnel is dead');
  await until(async () => !deleted.running(), 'its openvpn has exited');
  expect(deleted.output()).toContain('Halt command was pushed');
  // Its certificate is revoked: the server does not answer.
  const again = connectCustomer({ region: { id }, profile, timeoutMs: 3000 });
  await expect(again).rejects.toThrow(/no tunnel within|AUTH_FAILED/);
  expect(await other.ping(30_000)).toBeDefined();
});
