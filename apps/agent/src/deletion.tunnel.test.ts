import type { Customer } from '@fixpoint/sandbox/internet/customer.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { hostHasIpv6, tracked, withoutUdp } from './testing/observe.ts';
import { eventually, openScene, type Scene, UNANSWERED_MS } from './testing/scene.ts';
import { download, type Sold, sell } from './testing/subscriptions.ts';

/** Deleted, revoked and expired access is cut off while connected, and refused from then on. */
let scene: Scene;
let one: Sold;
let two: Sold;
/** Device of the other subscription, connected all the while. */
let tablet: Customer;
const ADDRESS = '203.0.113.11';
const phone = { id: 'k_phone1', address: 2 };
const laptop = { id: 'k_laptop', address: 3 };
const watch = { id: 'k_watch1', address: 4 };

beforeAll(async () => {
  scene = await openScene();
  [one, two] = await Promise.all([
    sell({
      slot: 1,
      bindAddress: ADDRESS,
      tcpPort: 443,
      prefix6: '2001:db8:7:b::/64',
      keys: [phone, laptop, watch],
    }),
    sell({ slot: 2, bindAddress: '203.0.113.12', keys: [{ id: 'k_tablet', address: 2 }] }),
  ]);
  await want({});
  await hostHasIpv6(scene);
  tablet = await scene.connect((await download(two, 'k_tablet')).profile);
});
afterAll(() => scene?.end());

/** Changes the first subscription and waits until the host has applied it. */
async function want(change: Partial<Sold['desired']>): Promise<void> {
  one.desired = { ...one.desired, ...change };
  scene.shop.want([one.desired, two.desired]);
  await scene.settled();
}

/** Whether the host's kernel tracks connections of a device. */
const allTracked = (...addresses: string[]) => Promise.all(addresses.map(address => tracked(scene, address)));

it('S76 FV19 a deleted key is cut off at once over UDP and TCP, its connections are deleted, and it stays refused', async () => {
  const [udp, tcp] = [await download(one, phone.id), await download(one, laptop.id)];
  const deleted = await Promise.all([scene.connect(udp.profile), scene.connect(withoutUdp(tcp.profile))]);
  const kept = await scene.connect((await download(one, watch.id)).profile);
  for (const device of [...deleted, kept]) {
    expect(await device.seenAddress()).toBe(ADDRESS);
    await device.seenAddress(6);
  }
  const gone = ['10.64.1.2', '10.64.1.3', '2001:db8:7:b::2', '2001:db8:7:b::3'];
  const stays = ['10.64.1.4', '2001:db8:7:b::4', '10.64.2.2'];
  // A TCP connection, which the kernel remembers for minutes.
  await tablet.seenAddress();
  expect(await allTracked(...gone, ...stays)).not.toContain(false);
  const server = await scene.serverOf(1);

  await want({ keys: [watch] });
  for (const device of deleted) expect(await device.alive()).toBe(false);
  await eventually(
    'their connections are forgotten',
    async () => !(await allTracked(...gone)).includes(true),
  );
  expect(await allTracked(...stays)).not.toContain(false);
  for (const device of deleted) {
    await eventually('its program has ended', () => !device.running());
    expect(device.output()).toContain('Halt command was pushed');
  }
  for (const profile of [udp.profile, tcp.profile, withoutUdp(tcp.profile)])
    expect(await scene.refused(profile)).toContain('AUTH_FAILED');
  // Other devices are not affected.
  expect(await kept.ping(30_000)).toBeDefined();
  expect(await tablet.ping(30_000)).toBeDefined();
  expect(await scene.serverOf(1)).toBe(server);
  await kept.stop();
});

it('S76 an earlier file of a revoked key is cut off and refused, while a newer one works', async () => {
  const [earlier, newer] = [await download(one, watch.id), await download(one, watch.id)];
  const old = await scene.connect(earlier.profile);
  await want({ revoked: [{ keyId: watch.id, serial: earlier.serial }] });
  await eventually('the old session ends', async () => !(await old.alive()));
  await old.stop();
  await scene.refused(earlier.profile, UNANSWERED_MS);
  const customer = await scene.connect(newer.profile);
  expect(await customer.seenAddress()).toBe(ADDRESS);
  await customer.stop();
});

it('a subscription that ends leaves nothing on its host, disturbs nobody, and keeps its address when it is resumed', async () => {
  const file = await download(one, watch.id);
  const customer = await scene.connect(file.profile);
  const addresses = () => scene.onHost('ip', '-br', 'addr');
  expect(await addresses()).toContain(`${ADDRESS}/32`);
  scene.shop.want([two.desired]);
  await scene.settled();
  expect(await customer.alive()).toBe(false);
  await eventually('the customer is told', () => !customer.running());
  expect(customer.output()).toContain('Halt command was pushed');
  await eventually('one serves', async () => (await scene.servers()).length === 1);
  expect(await addresses()).not.toContain(ADDRESS);
  expect(await addresses()).not.toMatch(/^fpt1 /m);
  expect(await addresses()).toMatch(/^fpt2 /m);
  const rules = await scene.onHost('nft', 'list', 'table', 'inet', 'fixpoint');
  expect(rules).not.toContain('10.64.1.');
  expect(rules).not.toContain(watch.id);
  expect(await scene.onHost('tc', 'class', 'show', 'dev', 'eth0')).not.toContain('1:120 ');
  await scene.refused(file.profile, UNANSWERED_MS);
  expect(await tablet.ping(30_000)).toBeDefined();
  await want({});
  const again = await scene.connect(file.profile);
  expect(await again.seenAddress()).toBe(ADDRESS);
  await again.stop();
});

it('K15 FV6 paid time ends on the host by itself, with the shop away', async () => {
  const customer = await scene.connect((await download(one, watch.id)).profile);
  const soon = new Date(Date.now() + 4000).toISOString();
  await want({ endsAt: soon });
  await scene.shop.away();
  await eventually('who is paid no more is gone', async () => (await scene.servers()).length === 1);
  expect(await customer.alive()).toBe(false);
  expect(await tablet.ping(30_000)).toBeDefined();
  expect(await tablet.seenAddress()).toBe('203.0.113.12');
  await scene.shop.back();
  await customer.stop();
});
