import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Customer } from '@fixpoint/sandbox/internet/customer.ts';
import { ADDRESSES, namespaceOf, type Role, spawnIn } from '@fixpoint/sandbox/internet/namespaces.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { leave } from './testing/canary.ts';
import { eventually, openScene, type Scene } from './testing/scene.ts';
import { download, type Sold, sell } from './testing/subscriptions.ts';

/** What the kernel's table of connections still names of devices that have left, or were cut off, while they were talking. */
let scene: Scene;
let one: Sold;
let two: Sold;
const PORT = 8080;
const phone = { id: 'k_phone1', address: 2, forwardedPort: PORT };
const laptop = { id: 'k_laptop', address: 3 };
const tablet = { id: 'k_tablet', address: 2 };
const [PHONE, LAPTOP, TABLET] = ['10.64.1.2', '10.64.1.3', '10.64.2.2'];
const [PHONE6, LAPTOP6] = ['2001:db8:7:b::2', '2001:db8:7:b::3'];

beforeAll(async () => {
  scene = await openScene();
  [one, two] = await Promise.all([
    sell({ slot: 1, bindAddress: '203.0.113.11', prefix6: '2001:db8:7:b::/64', keys: [phone, laptop] }),
    sell({ slot: 2, bindAddress: '203.0.113.12', keys: [tablet] }),
  ]);
  await want();
  runAt('www', 'open-door', 'www', String(PORT));
});
afterAll(() => scene?.end());

async function want(): Promise<void> {
  scene.shop.want([one.desired, two.desired]);
  await scene.settled();
}

function runAt(role: Role, program: string, ...args: string[]): ChildProcess {
  const file = fileURLToPath(new URL(`./testing/${program}.ts`, import.meta.url));
  return spawnIn(namespaceOf(scene.region.id, role), [process.execPath, file, ...args], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
}

/** A connection in which something is said all the time. @returns how often it was answered by now */
async function call(from: Role, address: string): Promise<() => number> {
  let answers = 0;
  runAt(from, 'caller', 'tcp', address, String(PORT)).on('message', () => {
    answers += 1;
  });
  await eventually(`${address} is reached`, () => answers > 1);
  return () => answers;
}

const roleOf = ({ device }: Customer) => device as Role;
const connect = async (sold: Sold, key: { id: string }) =>
  scene.connect((await download(sold, key.id)).profile);

/** Whether the kernel has connections of an address inside of a tunnel. */
const tracked = async (address: string) =>
  (await scene.onHost('conntrack', '--dump', '--family', address.includes(':') ? 'ipv6' : 'ipv4'))
    .split('\n')
    .some(line => new RegExp(`(src|dst)=${address} `).test(line));
const allTracked = async (...addresses: string[]) => Promise.all(addresses.map(tracked));

it('FV11 forgets the connections of who is cut off at once, of who has left within seconds, and nobody else’s', async () => {
  const devices = {
    phone: await connect(one, phone),
    laptop: await connect(one, laptop),
    tablet: await connect(two, tablet),
  };
  const calls: Record<string, () => number> = {};
  for (const [name, device] of Object.entries(devices))
    calls[name] = await call(roleOf(device), ADDRESSES.internet);
  for (const name of ['phone', 'laptop'] as const) await call(roleOf(devices[name]), ADDRESSES.internet6);
  // A stranger who is led to the phone is one of its connections, too.
  runAt(roleOf(devices.phone), 'open-door', 'phone', String(PORT));
  await eventually('the phone listens', () => devices.phone.answers('::1', PORT));
  for (const address of ['203.0.113.11', PHONE6]) await call('www', address);
  const all = [PHONE, PHONE6, LAPTOP, LAPTOP6, TABLET];
  expect(await allTracked(...all)).toEqual(all.map(() => true));

  one.desired = { ...one.desired, keys: [laptop] };
  await want();
  const forgotten = async (...addresses: string[]) => !(await allTracked(...addresses)).includes(true);
  await eventually('the phone is forgotten', () => forgotten(PHONE, PHONE6), 2000);
  expect(await allTracked(LAPTOP, LAPTOP6, TABLET)).toEqual([true, true, true]);

  // Whoever comes back in that moment goes on with what he had open.
  await scene.onHost('conntrack', '--delete', '--mark', '32/0xffffffe0');
  const before = calls.laptop!();
  await eventually('the laptop’s connection goes on', () => calls.laptop!() > before + 10, 5000);

  await leave(scene, devices.laptop);
  await eventually('the laptop is forgotten', () => forgotten(LAPTOP, LAPTOP6), 30_000);
  expect(await tracked(TABLET)).toBe(true);

  scene.shop.want([one.desired]);
  await scene.settled();
  await eventually('the tablet is forgotten', () => forgotten(TABLET), 2000);
});
