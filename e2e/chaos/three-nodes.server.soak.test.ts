import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { systemClock } from '@fixpoint/api/adapters/system-clock.ts';
import { openDatabase } from '@fixpoint/api/database/database.ts';
import { checkDatabase } from '@fixpoint/api/modules/books/index.ts';
import { type Stack, startStack } from '@fixpoint/dev-stack/stack.ts';
import { until } from '@fixpoint/testkit/buyer.ts';
import { createClient } from '@fixpoint/testkit/client.ts';
import type { FakeHost } from '@fixpoint/testkit/fake-host.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPage } from '../../apps/api/test/helpers/open-page.ts';
import { startHostWithoutTunnels } from '../host-without-tunnels.ts';
import { stopAndSearch } from '../searched-stop.ts';
import { startForwarder } from './forwarder.ts';
import { buyPatiently, startBuyers } from './patient-buyer.ts';

/** Three nodes that answer calls and one that works, behind a proxy that asks /readyz (docs/operate/scaling.md). */
const WAITING = 12;
const TAKEN_UP_MS = 240_000;
let stack: Stack;
let folder: string;
let host: FakeHost;
let proxy: Awaited<ReturnType<typeof startForwarder>>;
let nodes: { url: string; kill9(): Promise<void> }[];
const ready = new Set<string>();
const watching = new AbortController();
const pages: ({ email: string } & Awaited<ReturnType<typeof openPage>>)[] = [];

/** Asks each node each second, as a proxy does. */
async function watch(): Promise<void> {
  while (!watching.signal.aborted) {
    for (const { url } of nodes)
      await fetch(`${url}/readyz`).then(
        ({ ok }) => (ok ? ready.add(url) : ready.delete(url)),
        () => ready.delete(url),
      );
    await delay(1_000);
  }
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fixpoint-nodes-'));
  stack = await startStack({
    dataDir: folder,
    keepAlive: false,
    env: { ROLE: 'api', LIMITS_SCALE: '100000', LOG_LEVEL: 'debug' },
  });
  const others = [await stack.startNode('api'), await stack.startNode('api')];
  await stack.startNode('worker');
  nodes = [{ url: stack.url, kill9: () => stack.api.kill9() }].concat(
    others.map(({ url, child }) => ({ url, kill9: () => child.kill9() })),
  );
  let turn = 0;
  proxy = await startForwarder(() => {
    const up = [...ready];
    turn += 1;
    return up.length > 0 ? Number(new URL(up[turn % up.length]!).port) : undefined;
  });
  void watch();
  await until(async () => ready.size === nodes.length, 'three nodes');
  host = await startHostWithoutTunnels(stack, folder);
}, 300_000);
afterAll(async () => {
  watching.abort();
  for (const { socket } of pages) socket.disconnect();
  await host?.stop();
  await proxy?.stop();
  if (stack) await stopAndSearch(stack, folder);
});

test('one of three nodes is killed during purchases and live sockets, and none is lost', {
  timeout: 540_000,
}, async () => {
  const url = `http://127.0.0.1:${proxy.port}`;
  const { bought, stop } = startBuyers(url, 4);
  // Each has a page open that waits for the payment, which comes after the node is gone.
  let isKilled = false;
  const waiting = Array.from({ length: WAITING }, (_, n) => {
    const email = `page${n}@example.com`;
    return buyPatiently(url, email, async metadata => {
      pages.push(Object.assign(await openPage(url, metadata), { email }));
      await until(async () => isKilled, 'the node to be killed', 120_000);
    });
  });
  await until(async () => pages.length === WAITING && bought.length >= 6, 'open pages and purchases');

  const killed = performance.now();
  const before = bought.length;
  const [, victim] = nodes;
  await victim!.kill9();
  const drops = () => pages.filter(({ drops }) => drops > 0).length;
  await until(
    async () => drops() > 0 && pages.every(({ socket }) => socket.connected),
    'the live sockets of the node at other nodes',
  );
  const back = (performance.now() - killed) / 1000;
  isKilled = true;
  const paid = await Promise.all(waiting);
  await until(async () => bought.length >= before + 8, 'more purchases');
  await stop();
  const all = [...bought, ...paid];
  const repeats = all.reduce((sum, purchase) => sum + purchase.repeats, 0);
  process.stdout.write(
    `one of three nodes killed: ${drops()} of ${WAITING} live sockets dropped, all back after ${back.toFixed(1)} s; ` +
      `purchases: ${all.length}, calls repeated: ${repeats}\n`,
  );
  for (const page of pages)
    await until(async () => page.isPaid, `the page of ${page.email} to hear of its payment`);

  const { order } = createClient(url);
  // What the killed node has begun is taken up by scheduled tasks, within minutes.
  for (const { email, metadata } of all)
    await until(
      async () => {
        const { data } = await order.purchaseData({ body: { metadata } });
        return data?.subscription?.status === 'active';
      },
      `the tunnel of ${email}`,
      TAKEN_UP_MS,
    );
  const { db, close } = openDatabase(stack.postgres!.adminUrl, 1);
  expect(await checkDatabase(db, systemClock.now()).finally(close)).toEqual([]);
});
