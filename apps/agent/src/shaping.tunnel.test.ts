import { setTimeout as sleep } from 'node:timers/promises';
import type { Customer } from '@fixpoint/sandbox/internet/customer.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openScene, type Scene } from './testing/scene.ts';
import { download, type Sold, sell } from './testing/subscriptions.ts';

/** What three devices of one subscription get of its line, with real openvpn and streams both ways at once. */
let scene: Scene;
let sold: Sold;
let customers: Customer[];
const keys = ['k_phone1', 'k_laptop', 'k_tablet'].map((id, n) => ({ id, address: n + 2 }));

beforeAll(async () => {
  scene = await openScene();
  sold = await sell({ slot: 1, bindAddress: '203.0.113.11', keys });
  scene.shop.want([sold.desired]);
  await scene.settled();
  customers = await Promise.all(keys.map(async key => scene.connect((await download(sold, key.id)).profile)));
});
afterAll(() => scene?.end());

const line = async (rateMbit: number, limits: Record<string, number> = {}) => {
  scene.shop.want([
    {
      ...sold.desired,
      rateMbit,
      keys: keys.map(key => ({ ...key, ...(limits[key.id] && { rateMbit: limits[key.id] }) })),
    },
  ]);
  await scene.settled();
};

/** Bytes that a device has received so far. */
const received = (table: string, device: string): number =>
  Number(table.match(new RegExp(`${device}: *(\\d+)`))![1]);

/** Streams that begin anew when they end, until told; one that breaks off fails the test. */
function streams(transfer: () => Promise<unknown>, number: number) {
  let going = true;
  const all = Promise.all(
    Array.from({ length: number }, async () => {
      while (going) await transfer();
    }),
  );
  return async () => {
    going = false;
    await all;
  };
}

/** Mbit/s of each customer's download and of what arrives on the internet, over a while. */
async function rates(ms = 2000): Promise<{ down: number[]; up: number }> {
  const look = async () => ({
    at: performance.now(),
    down: await Promise.all(
      customers.map(async one => received(await one.exec(['cat', '/proc/net/dev']), 'tun0')),
    ),
    up: received(await scene.onInternet('cat', '/proc/net/dev'), 'eth0'),
  });
  const before = await look();
  await sleep(ms);
  const after = await look();
  const mbit = (bytes: number) => (bytes * 8) / 1000 / (after.at - before.at);
  return {
    down: after.down.map((bytes, n) => mbit(bytes - before.down[n]!)),
    up: mbit(after.up - before.up),
  };
}

const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);

it('FV24 a line of 5, 10 and 50 Mbit/s is that both ways at once, changed while streams and echoes go on', {
  timeout: 120_000,
}, async () => {
  const [customer] = customers;
  await line(5);
  await customer!.watch();
  const stop = [
    streams(() => customer!.download(4_000_000), 3),
    streams(() => customer!.upload(4_000_000), 3),
  ];
  for (const rateMbit of [5, 10, 50]) {
    await line(rateMbit);
    await sleep(1000);
    let [down, up] = [0, 0];
    // A busy machine makes TCP slower than its line, but never faster.
    for (let tries = 0; tries < 4 && Math.min(down, up) < rateMbit * 0.95; tries++) {
      const now = await rates();
      [down, up] = [Math.max(down, sum(now.down)), Math.max(up, now.up)];
      expect(Math.max(sum(now.down), now.up)).toBeLessThan(rateMbit * 1.05);
    }
    process.stdout.write(
      `line of ${rateMbit} Mbit/s: ${down.toFixed(2)} down, ${up.toFixed(2)} up at once\n`,
    );
    expect(Math.min(down, up)).toBeGreaterThan(rateMbit * 0.95);
    expect(Date.now() - (await customer!.lastEcho())).toBeLessThan(1000);
  }
  await line(200);
  for (const stopped of stop) await stopped();
});

it('FV24 three keys get alike of it, whoever has more streams; one that is limited has its limit', async () => {
  await line(30);
  const stop = customers.map((one, n) => streams(() => one.download(4_000_000), 1 + 2 * n));
  await sleep(1500);
  const { down } = await rates(4000);
  process.stdout.write(`three keys on 30 Mbit/s: ${down.map(rate => rate.toFixed(2)).join(', ')}\n`);
  expect(Math.max(...down) - Math.min(...down)).toBeLessThan(1);
  await line(30, { k_tablet: 4 });
  await sleep(1000);
  const limited = (await rates(3000)).down;
  process.stdout.write(`one limited to 4: ${limited.map(rate => rate.toFixed(2)).join(', ')}\n`);
  expect(limited[2]).toBeLessThan(4.2);
  expect(limited[2]).toBeGreaterThan(3.5);
  await line(200);
  for (const stopped of stop) await stopped();
});
