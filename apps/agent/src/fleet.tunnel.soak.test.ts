import type { DesiredKey } from '@fixpoint/contract/agent.ts';
import type { Customer } from '@fixpoint/sandbox/internet/customer.ts';
import { ADDRESSES } from '@fixpoint/sandbox/internet/namespaces.ts';
import { watchSlowness } from '@fixpoint/testkit/slowness.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { FakeShop } from './testing/fake-shop.ts';
import { pings } from './testing/observe.ts';
import { eventually, openScene, type Scene } from './testing/scene.ts';
import { startSecondHost } from './testing/second-host.ts';
import { download, type Sold, sell } from './testing/subscriptions.ts';

/** Three hosts with five customers, who have nine devices, all connected at once. */
let scene: Scene;
const others: Awaited<ReturnType<typeof startSecondHost>>[] = [];
const all: { shop: FakeShop; sold: Sold; key: DesiredKey; customer: Customer }[] = [];
const keysOf = (name: string, number: number) =>
  Array.from({ length: number }, (_, n) => ({ id: `k_${name}_${n}`, address: n + 2 }));

/** Every host counts its slots from 1, so customers of two hosts share numbers. */
const sale = (slot: number, octet: number, keys: DesiredKey[]) =>
  sell({
    slot,
    keys,
    bindAddress: `203.0.113.${octet}`,
    prefix6: `2001:db8:7:${octet.toString(16)}::/64`,
  });

beforeAll(async () => {
  scene = await openScene();
  for (const number of [2, 3] as const) others.push(await startSecondHost(scene, number));
  const [second, third] = others as [(typeof others)[0], (typeof others)[0]];
  await second.routeHere('203.0.113.64/26', '2001:db8:7:40::/58');
  await third.routeHere('203.0.113.128/26', '2001:db8:7:80::/58');
  const hosts = [
    { shop: scene.shop, sold: [await sale(1, 11, keysOf('anna', 2)), await sale(2, 12, keysOf('ben', 2))] },
    { shop: second.shop, sold: [await sale(1, 65, keysOf('chai', 2)), await sale(2, 66, keysOf('dao', 1))] },
    { shop: third.shop, sold: [await sale(1, 129, keysOf('eva', 2))] },
  ];
  await scene.listen('www', 53);
  for (const { shop, sold } of hosts) {
    const revision = shop.want(
      sold.map(({ desired }) => desired),
      { dns: [ADDRESSES.internet] },
    );
    await shop.reported(
      report => report.revision === revision && report.subscriptions.every(({ state }) => state === 'up'),
    );
  }
  for (const { shop, sold } of hosts)
    for (const each of sold)
      for (const key of each.desired.keys) {
        const customer = await scene.connect((await download(each, key.id)).profile);
        all.push({ shop, sold: each, key, customer });
      }
});
afterAll(async () => {
  for (const { shop } of others) await shop.away();
  for (const other of others) await other.powerOff();
  await scene?.end();
});

const address6 = ({ sold, key }: (typeof all)[0]) => sold.desired.prefix6!.replace('/64', `${key.address}`);
const network = ({ sold }: (typeof all)[0]) => `10.64.${sold.desired.slot}`;

it('V2 V23 V39 each is seen with its own address of both families, and resolves names inside its tunnel', async () => {
  expect(all).toHaveLength(9);
  for (const one of all) {
    expect(await one.customer.seenAddress()).toBe(one.sold.desired.publicAddress);
    expect(await one.customer.seenAddress(6)).toBe(address6(one));
    await expect.poll(() => one.customer.answers(`${network(one)}.1`, 53)).toBe(true);
  }
});

it('V22 V25 none reaches another, of its own customer or not, nor its host', async () => {
  for (const one of all) {
    const rest = all.filter(other => other !== one);
    const inside = rest.map(other => `${network(other)}.${other.key.address}`);
    const own = `${network(one)}.${one.key.address}`;
    const places = new Set([
      ...inside.filter(address => address !== own),
      ...rest.map(address6),
      ...rest.map(({ sold }) => sold.desired.publicAddress),
      `${network(one)}.1`,
    ]);
    // Traffic to a device's own server bypasses the tunnel.
    places.delete(one.sold.desired.publicAddress);
    await expect.poll(() => pings(one.customer, ADDRESSES.internet)).toBe(true);
    const answered = await Promise.all([...places].map(to => pings(one.customer, to)));
    expect([...places].filter((_, n) => answered[n])).toEqual([]);
  }
});

it('S76 each is cut off within 300 ms of its deletion, at least half of them, and stays refused', async () => {
  const took: number[] = [];
  let inTime = 0;
  for (const { shop, sold, key, customer } of all) {
    await customer.watch();
    await eventually('an echo', async () => (await customer.lastEcho()) > 0);
    const [begun, allowed] = [Date.now(), watchSlowness()];
    const mine = new Set(all.filter(one => one.shop === shop).map(one => one.sold));
    sold.desired = { ...sold.desired, keys: sold.desired.keys.filter(({ id }) => id !== key.id) };
    shop.want(
      [...mine].map(({ desired }) => desired),
      { dns: [ADDRESSES.internet] },
    );
    await eventually('its tunnel is dead', async () => !(await customer.alive()));
    const dead = (await customer.lastEcho()) - begun;
    took.push(dead);
    if (dead < allowed(300)) inTime += 1;
  }
  process.stdout.write(`nine keys deleted: last packet after ${took.join(', ')} ms\n`);
  expect(inTime).toBeGreaterThanOrEqual(5);
  for (const { sold, key } of all)
    expect(await scene.refused((await download(sold, key.id)).profile)).toContain('AUTH_FAILED');
});
