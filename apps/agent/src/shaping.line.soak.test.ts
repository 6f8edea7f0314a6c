import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Customer } from '@fixpoint/sandbox/internet/customer.ts';
import { ADDRESSES } from '@fixpoint/sandbox/internet/namespaces.ts';
import { slowness } from '@fixpoint/testkit/slowness.ts';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { DOWN_ROOT, downClass, tunnelDevice, upClass, upRoot } from './layout.ts';
import { eventually, openScene, type Scene } from './testing/scene.ts';
import { download, type Sold, sell } from './testing/subscriptions.ts';
import { usageFile } from './usage.ts';

/**
 * Bandwidth of three devices of one subscription, with real OpenVPN and concurrent streams in both
 * directions.
 */
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
const sent = (table: string, device: string): number =>
  Number(table.match(new RegExp(`${device}:(?: *\\d+){8} +(\\d+)`))![1]);

/** Streams that restart until the test has ended; an interrupted one fails it. */
function streams(transfer: () => Promise<unknown>, number: number): void {
  for (let n = 0; n < number; n++) going.push(again(transfer));
}
async function again(transfer: () => Promise<unknown>): Promise<void> {
  while (!over) await transfer();
}
let going: Promise<void>[] = [];
let over = false;
afterEach(async () => {
  over = true;
  await line(500);
  await Promise.all(going);
  going = [];
  over = false;
});

/** Mbit/s of each customer's download and of the arrivals on the internet, over a period. */
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

/** Bytes that a class of a device has passed, by the kernel's count. */
const letThrough = (listing: string, id: string): number =>
  Number(listing.match(new RegExp(`class htb ${id} [^\n]*\n Sent (\\d+) `))![1]);

/**
 * Mbit/s as a range: on a busy machine a reading takes a while, and its exact moment is unknown.
 */
type Rate = { least: number; most: number };

/**
 * Rate of the line in both directions, and each key's part. TCP's own throughput is another matter.
 */
async function shaped(ms = 2000) {
  const lookAt = async (device: string) => {
    const from = performance.now();
    const listing = await scene.onHost('tc', '-s', 'class', 'show', 'dev', device);
    return { from, listing, to: performance.now() };
  };
  const look = async () => ({ down: await lookAt(tunnelDevice(sold.desired)), up: await lookAt('eth0') });
  const before = await look();
  await sleep(ms);
  const after = await look();
  const mbit = (way: 'down' | 'up', id: string): Rate => {
    const [was, is] = [before[way], after[way]];
    const kilobits = ((letThrough(is.listing, id) - letThrough(was.listing, id)) * 8) / 1000;
    return { least: kilobits / (is.to - was.from), most: kilobits / (is.from - was.to) };
  };
  return {
    down: mbit('down', DOWN_ROOT),
    up: mbit('up', upRoot(sold.desired)),
    keys: {
      down: keys.map(key => mbit('down', downClass(key))),
      up: keys.map(key => mbit('up', upClass(sold.desired, key))),
    },
  };
}

const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);

/**
 * Sends more than any share for some seconds regardless of loss; TCP would adapt to its share by
 * itself.
 */
const flood = (one: Customer, seconds: number, packetsASecond: number) =>
  one.exec(`ping -q -i ${1 / packetsASecond} -s 1300 -w ${seconds} ${ADDRESSES.internet}`.split(' '));

/** Ratio between keys that were measured together. */
const spread = (all: readonly Rate[]) =>
  Math.max(...all.map(({ least }) => least)) / Math.min(...all.map(({ least }) => least));

/**
 * Shares of three keys on a line of 9 while each demands more; then with a limit of 1 for the last.
 */
async function expectFair(way: 'down' | 'up'): Promise<void> {
  // On a busy machine one of them may send less than its share for a while.
  const shapedOnce = async (isFair: (each: readonly Rate[]) => boolean) => {
    let seen = await shaped();
    for (let tries = 0; tries < 15 && !isFair(seen.keys[way]); tries++) seen = await shaped();
    return seen;
  };
  await sleep(1000);
  const alike = await shapedOnce(each => spread(each) <= 1.1);
  await line(9, { k_tablet: 1 });
  await sleep(500);
  const unlike = ([first, second]: readonly Rate[]) => Math.abs(first!.least / second!.least - 1);
  const limited = await shapedOnce(each => unlike(each) <= 0.1);
  for (const { keys: each } of [alike, limited])
    process.stdout.write(
      `three keys on 9 Mbit/s ${way}: ${each[way].map(({ least }) => least.toFixed(2)).join(', ')}\n`,
    );
  expect(spread(alike.keys[way])).toBeLessThan(1.1);
  expect(alike[way].least).toBeLessThan(9 * 1.05);
  expect(alike[way].most).toBeGreaterThan((9 * 0.95) / slowness());
  expect(limited.keys[way][2]!.least).toBeLessThan(1.05);
  expect(limited.keys[way][2]!.most).toBeGreaterThan(0.95 / slowness());
  expect(unlike(limited.keys[way])).toBeLessThan(0.1);
}

it('FV24 three keys get equal shares in both directions whatever their demand; a limited one gets its limit', async () => {
  await line(9);
  // They outlast the measurement: one that ended would demand nothing.
  for (const [n, one] of customers.entries()) streams(() => flood(one, 5, 800 * (n + 1)), 1);
  await expectFair('up');
  await line(9);
  // A flood returns as much as it sends; together with streams the return direction is overloaded.
  for (const [n, one] of customers.entries()) streams(() => one.download(2_000_000), n + 1);
  await expectFair('down');
});

it('FV24 a line has 5, 10 and 50 Mbit/s in both directions at once, changed while streams and echoes continue', async () => {
  const [customer] = customers;
  await line(5);
  await customer!.watch();
  streams(() => customer!.download(4_000_000), 6);
  streams(() => customer!.upload(4_000_000), 6);
  for (const rateMbit of [5, 10, 50]) {
    await line(rateMbit);
    await sleep(1000);
    let [down, up, busy] = [0, 0, 1];
    // A busy machine may fill a line less for a while, and no line ever exceeds its rate.
    for (let tries = 0; tries < 15 && Math.min(down, up) < (rateMbit * 0.95) / busy; tries++) {
      const now = await shaped();
      [down, up] = [Math.max(down, now.down.most), Math.max(up, now.up.most)];
      busy = Math.max(busy, slowness());
      expect(Math.max(now.down.least, now.up.least)).toBeLessThan(rateMbit * 1.05);
    }
    const seen = await rates();
    process.stdout.write(
      `line of ${rateMbit} Mbit/s: ${down.toFixed(2)} down, ${up.toFixed(2)} up at once; at the devices ${sum(seen.down).toFixed(2)}, ${seen.up.toFixed(2)}\n`,
    );
    expect(Math.min(down, up)).toBeGreaterThan((rateMbit * 0.95) / busy);
    await expect.poll(async () => Date.now() - (await customer!.lastEcho())).toBeLessThan(1000);
  }
});

it('FV15 usage matches what the customers’ own devices have counted in both directions', async () => {
  const tables = await Promise.all(customers.map(one => one.exec(['cat', '/proc/net/dev'])));
  const own = {
    down: sum(tables.map(table => received(table, 'tun0'))),
    up: sum(tables.map(table => sent(table, 'tun0'))),
  };
  const counted = () => {
    const { days } = usageFile.parse(
      JSON.parse(readFileSync(join(scene.region.runDir, 'usage.json'), 'utf8')),
    );
    const keys = Object.values(days).flatMap(day => Object.values(day));
    return { down: sum(keys.map(({ down }) => down)), up: sum(keys.map(({ up }) => up)) };
  };
  // Echoes of another test continue until their customers stop.
  await Promise.all(customers.map(one => one.stop()));
  await eventually('every byte is counted that the host has passed', async () =>
    isDeepStrictEqual(counted(), await scene.deviceBytes(sold.desired.slot)),
  );
  const { down, up } = counted();
  process.stdout.write(`counted: ${down} of ${own.down} bytes down, ${up} of ${own.up} up\n`);
  // A packet lost in the tunnel is counted at one end only.
  for (const way of ['down', 'up'] as const)
    expect(Math.abs(counted()[way] / own[way] - 1)).toBeLessThan(0.001);
});
