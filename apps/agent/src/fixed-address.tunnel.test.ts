import type { Customer } from '@fixpoint/sandbox/internet/customer.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { dropUdp, hostHasIpv6, withoutUdp } from './testing/observe.ts';
import { openScene, type Scene } from './testing/scene.ts';
import { download, type Sold, sell } from './testing/subscriptions.ts';

/**
 * Each key reaches the internet from the sold fixed IP: real OpenVPN at both ends, a real network
 * between.
 */
let scene: Scene;
let one: Sold;
let phone: Customer;
const [ADDRESS, OTHER_ADDRESS] = ['203.0.113.11', '203.0.113.12'];

beforeAll(async () => {
  scene = await openScene();
  one = await sell({
    slot: 1,
    bindAddress: ADDRESS,
    tcpPort: 443,
    prefix6: '2001:db8:7:b::/64',
    keys: [
      { id: 'k_phone1', address: 2 },
      { id: 'k_laptop', address: 3 },
    ],
  });
  scene.shop.want([one.desired]);
  await Promise.all([scene.settled(), hostHasIpv6(scene)]);
  phone = await scene.connect((await download(one, 'k_phone1')).profile);
});
afterAll(() => scene?.end());

const overTcp = (customer: Customer) => customer.output().includes('TCP connection established');
/** Addresses that a server on the internet sees, of both families. */
const seen = (customer: Customer) => Promise.all([customer.seenAddress(4), customer.seenAddress(6)]);

it('V2 V23 V24 the internet sees the sold IPv4 address, an IPv6 address of the key, and never the customer’s own', async () => {
  expect(overTcp(phone)).toBe(false);
  expect(await seen(phone)).toEqual([ADDRESS, '2001:db8:7:b::2']);
  expect(phone.address).not.toBe(ADDRESS);
});

it('V16 where UDP is blocked the same file connects over TCP, and leaves from the same addresses', async () => {
  const { profile } = await download(one, 'k_laptop');
  const laptop = await scene.connect(profile, { before: dropUdp });
  expect(overTcp(laptop)).toBe(true);
  expect(await seen(laptop)).toEqual([ADDRESS, '2001:db8:7:b::3']);
  await laptop.stop();
});

it('an added key and an added subscription work at once; running tunnels continue', async () => {
  const { profile } = await download(one, 'k_added1');
  expect(await scene.refused(profile)).toContain('AUTH_FAILED');
  // The highest slot, where numbers could overflow. A low port, which the server may not bind by
  // itself.
  const two = await sell({
    slot: 2039,
    bindAddress: OTHER_ADDRESS,
    port: 443,
    prefix6: '2001:db8:7:c:c00::/72',
    keys: [{ id: 'k_tablet', address: 2 }],
  });
  const server = await scene.serverOf(1);
  one.desired = { ...one.desired, keys: [...one.desired.keys, { id: 'k_added1', address: 4 }] };
  scene.shop.want([one.desired, two.desired]);
  await scene.settled();
  const [added, tablet] = await Promise.all([
    scene.connect(profile),
    scene.connect((await download(two, 'k_tablet')).profile),
  ]);
  expect(await seen(added)).toEqual([ADDRESS, '2001:db8:7:b::4']);
  expect(await seen(tablet)).toEqual([OTHER_ADDRESS, '2001:db8:7:c:c00::2']);
  expect(await phone.ping(30_000)).toBeDefined();
  expect(await scene.serverOf(1)).toBe(server);
});

it('V20 a key is one device: the next device with it takes over its session, over UDP or TCP', async () => {
  const { profile } = await download(one, 'k_laptop');
  const first = await scene.connect(profile);
  const second = await scene.connect(withoutUdp(profile));
  // The first one reconnects after some seconds, and takes over again.
  const both = async () => [await second.seenAddress().catch(() => ''), await first.alive()];
  await expect.poll(both).toEqual([ADDRESS, false]);
  expect(await second.exec(['ip', '-br', 'addr', 'show', 'tun0'])).toContain('10.64.1.3/24');
  await Promise.all([first.stop(), second.stop()]);
});
