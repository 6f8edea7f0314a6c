import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Stack, startStack } from '@fixpoint/dev-stack/stack.ts';
import type { Customer } from '@fixpoint/sandbox/internet/customer.ts';
import { ADDRESSES, namespaceOf, spawnIn } from '@fixpoint/sandbox/internet/namespaces.ts';
import { must } from '@fixpoint/sandbox/internet/run.ts';
import { buyAsVisitor, logInByEmail, until } from '@fixpoint/testkit/buyer.ts';
import { connectSoon } from '@fixpoint/testkit/connect-soon.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

/** Measures the line of a customer who uses their own VPN: a real shop behind a proxy on the internet of a region. */
const PORT = 8088;
const frontFile = fileURLToPath(new URL('./testing/front.ts', import.meta.url));
const measureFile = fileURLToPath(new URL('./testing/measure-line.ts', import.meta.url));
const url = `http://${ADDRESSES.internet}:${PORT}`;
let folder: string;
let stack: Stack;
let id: string;
let device: Customer | undefined;
const toShop = createServer(socket => {
  const shop = connect(Number(new URL(stack.url).port), '127.0.0.1');
  for (const [one, other] of [
    [socket, shop],
    [shop, socket],
  ] as const)
    one.pipe(other).once('error', () => one.destroy());
});

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fixpoint-measured-'));
  stack = await startStack({
    dataDir: join(folder, 'shop'),
    region: true,
    durable: false,
    env: { SEED: 'demo', HUMAN_CHECK_COST: '1', TRUST_PROXY: '127.0.0.1' },
  });
  if ('obstacle' in stack.region) throw new Error(`The demo region does not start: ${stack.region.obstacle}`);
  ({ id } = stack.region);
  const socket = join(folder, 'shop.sock');
  await once(toShop.listen(socket), 'listening');
  const command = [process.execPath, frontFile, ADDRESSES.internet, `${PORT}`];
  const front = spawnIn(namespaceOf(id, 'www'), [...command, socket], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const lost = once(front, 'exit').then(() => Promise.reject(new Error('the proxy exited')));
  await Promise.race([once(front, 'message'), lost]);
});
afterAll(async () => {
  await device?.stop();
  await stack?.stop();
  toShop.close();
  await rm(folder, { recursive: true, force: true });
});

test('FU16 a customer behind their own VPN sees so and can measure their line; others cannot', async () => {
  const place = { url: stack.url, sandboxUrl: stack.sandbox!.url };
  await buyAsVisitor(place, 'measured@example.com', { planId: 'solo' });
  const { client, token } = await logInByEmail(place, 'measured@example.com');
  const subscription = await until(async () => {
    const [item] = (await client.subscription.mySubscription({ body: {} })).data!.items;
    return item?.status === 'active' && item;
  }, 'an active subscription');
  const key = await client.subscription.addKey({ body: { subscriptionId: subscription.id, name: 'phone' } });
  const file = await client.subscription.downloadKey({
    body: { subscriptionId: subscription.id, keyId: key.data!.id },
  });
  device = await connectSoon({ region: { id }, profile: file.data!.profile });
  const program = [process.execPath, measureFile, url, token, subscription.id];
  const { ids, down, up } = JSON.parse((await device.exec(program)).split('\n').at(-2)!);
  process.stdout.write(`sold: 50 Mbit/s, measured: ${down.toFixed(1)} down, ${up.toFixed(1)} up\n`);
  expect(ids).toEqual([subscription.id]);
  // With other tests beside it, the machine is slower than the line.
  for (const rate of [down, up]) {
    expect(rate).toBeGreaterThan(10);
    expect(rate).toBeLessThan(52.5);
  }
  // The same customer without the VPN.
  const elsewhere = await must('ip', ['netns', 'exec', namespaceOf(id, 'www'), ...program]);
  expect(JSON.parse(elsewhere.split('\n').at(-2)!)).toEqual({ ids: [] });
});
