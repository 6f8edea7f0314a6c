import { setTimeout as sleep } from 'node:timers/promises';
import type { Customer } from '@fixpoint/sandbox/internet/customer.ts';
import { ADDRESSES } from '@fixpoint/sandbox/internet/namespaces.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually, openScene, type Scene } from './testing/scene.ts';
import { download, type Sold, sell } from './testing/subscriptions.ts';

/** What a device sends beside the tunnel after its rights have ended, with and without the choice to block. */
const plain = { id: 'k_plain1', address: 2 };
const blocks = { id: 'k_block1', address: 3, blockWhenEnded: true as const };
const WATCH_MS = 10_000;
let scene: Scene;
let one: Sold;
/** Another customer of the host. */
let two: Sold;
beforeAll(async () => {
  scene = await openScene();
  two = await sell({ slot: 2, bindAddress: '203.0.113.12' });
});
afterAll(() => scene?.end());

async function served() {
  one = await sell({ slot: 1, bindAddress: '203.0.113.11', tcpPort: 443, keys: [plain, blocks] });
  scene.shop.want([one.desired, two.desired]);
  await scene.settled();
  const [bare, stays] = await Promise.all([
    scene.connect((await download(one, plain.id)).profile),
    scene.connect((await download(one, blocks.id, null, { blockWhenEnded: true })).profile),
  ]);
  return { bare, stays };
}

/** Counts packets to the internet's server that pass the router outside the tunnel. */
const beside = ({ device }: Customer) =>
  scene.countAtRouter(`iifname "${device}" ip daddr ${ADDRESSES.internet} counter name n`);

async function sentBeside(customer: Customer): Promise<number> {
  const count = await beside(customer);
  const until = performance.now() + WATCH_MS;
  while (performance.now() < until) {
    await customer.exec(['ping', '-c', '1', '-W', '1', ADDRESSES.internet]).catch(() => '');
    await sleep(100);
  }
  return count();
}

/** One that blocks sends nothing until its user disconnects, and is back on its own line then. */
async function expectBlocked(what: string, { bare, stays }: Awaited<ReturnType<typeof served>>) {
  await eventually('the plain one has stopped', () => !bare.running());
  const [open, none] = await Promise.all([sentBeside(bare), sentBeside(stays)]);
  process.stdout.write(
    `${what}: in ${WATCH_MS / 1000} s beside the tunnel ${open} packets, blocking ${none}\n`,
  );
  expect(stays.running()).toBe(true);
  expect(await stays.alive()).toBe(false);
  expect({ open: open > 0, none }).toEqual({ open: true, none: 0 });
  await stays.exec(['sh', '-c', 'kill $(pgrep -n openvpn --ns $$ --nslist net)']);
  await eventually('its user has disconnected', () => !stays.running());
  expect(await sentBeside(stays)).toBeGreaterThan(0);
  await Promise.all([bare.stop(), stays.stop()]);
}

it('K23 a deleted key whose device blocks stays offline, also when another one is deleted', async () => {
  const customers = await served();
  one.desired = { ...one.desired, keys: [plain] };
  scene.shop.want([one.desired, two.desired]);
  await scene.settled();
  await sleep(3000);
  one.desired = { ...one.desired, keys: [] };
  scene.shop.want([one.desired, two.desired]);
  await scene.settled();
  await expectBlocked('deleted', customers);
});

it.each(['at once', 'while the agent is away'])('K23 so does one whose subscription ends %s', async when => {
  const customers = await served();
  if (when !== 'at once') await scene.region.killAgent();
  scene.shop.want([two.desired]);
  if (when !== 'at once') scene.region.startAgent();
  await scene.settled();
  await expectBlocked(`ended ${when}`, customers);
});
