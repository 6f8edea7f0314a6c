import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Customer } from '@fixpoint/sandbox/internet/customer.ts';
import {
  ADDRESSES,
  namespaceOf,
  processesIn,
  type Role,
  spawnIn,
} from '@fixpoint/sandbox/internet/namespaces.ts';
import { must } from '@fixpoint/sandbox/internet/run.ts';
import { watchSlowness } from '@fixpoint/testkit/slowness.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { leave } from './testing/canary.ts';
import { tracked } from './testing/observe.ts';
import { eventually, openScene, type Scene } from './testing/scene.ts';
import { download, type Sold, sell } from './testing/subscriptions.ts';

/**
 * Entries in the kernel's connection table for devices that disconnected, or were cut off, during a
 * conversation.
 */
let scene: Scene;
let one: Sold;
let two: Sold;
let home: Sold;
const PORT = 8080;
/** How long openvpn lists a client that has announced its exit, at most. */
const LISTED_MS = 8000;
const phone = { id: 'k_phone1', address: 2, forwardedPort: PORT };
const laptop = { id: 'k_laptop', address: 3 };
const tablet = { id: 'k_tablet', address: 2 };
const watch = { id: 'k_watch1', address: 2, forwardedPort: PORT };
const radio = { id: 'k_radio1', address: 3 };
const television = { id: 'k_telly1', address: 4 };
const [PHONE, LAPTOP, TABLET] = ['10.64.1.2', '10.64.1.3', '10.64.2.2'];
const [PHONE6, LAPTOP6] = ['2001:db8:7:b::2', '2001:db8:7:b::3'];
const [WATCH, RADIO, TELEVISION] = ['10.64.3.2', '10.64.3.3', '10.64.3.4'];
const [WATCH6, TELEVISION6] = ['2001:db8:7:d::2', '2001:db8:7:d::4'];

beforeAll(async () => {
  scene = await openScene();
  [one, two, home] = await Promise.all([
    sell({ slot: 1, bindAddress: '203.0.113.11', prefix6: '2001:db8:7:b::/64', keys: [phone, laptop] }),
    sell({ slot: 2, bindAddress: '203.0.113.12', keys: [tablet] }),
    sell({
      slot: 3,
      bindAddress: '203.0.113.13',
      prefix6: '2001:db8:7:d::/64',
      keys: [watch, radio, television],
    }),
  ]);
  await want();
  runAt('www', 'open-endpoint', 'www', String(PORT));
});
afterAll(() => scene?.end());

async function want(): Promise<void> {
  scene.shop.want([one.desired, two.desired, home.desired]);
  await scene.settled();
}

function runAt(role: Role, program: string, ...args: string[]): ChildProcess {
  const file = fileURLToPath(new URL(`./testing/${program}.ts`, import.meta.url));
  return spawnIn(namespaceOf(scene.region.id, role), [process.execPath, file, ...args], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
}

/** A connection with continuous traffic. @returns the number of answers so far */
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

/** Whether the table has a forwarded connection of a stranger to the watch. */
const led = async () =>
  (await scene.onHost('conntrack', '--dump', '--orig-dst', '203.0.113.13')).includes(`src=${WATCH} `);
const allTracked = (...addresses: string[]) => Promise.all(addresses.map(address => tracked(scene, address)));
const forgotten = async (...addresses: string[]) => !(await allTracked(...addresses)).includes(true);

/**
 * Expects a state, on a quiet machine within some milliseconds. @returns the milliseconds it took
 */
async function soon(what: string, quietMs: number, condition: () => Promise<boolean>): Promise<number> {
  const [begun, allowed] = [performance.now(), watchSlowness()];
  await eventually(what, condition);
  const took = performance.now() - begun;
  expect(took, what).toBeLessThan(allowed(quietMs));
  return took;
}

it('FV11 deletes connections at once for a cut-off device, within seconds for a disconnected one, and no others', async () => {
  const devices = {
    phone: await connect(one, phone),
    laptop: await connect(one, laptop),
    tablet: await connect(two, tablet),
  };
  const calls: Record<string, () => number> = {};
  for (const [name, device] of Object.entries(devices))
    calls[name] = await call(roleOf(device), ADDRESSES.internet);
  for (const name of ['phone', 'laptop'] as const) await call(roleOf(devices[name]), ADDRESSES.internet6);
  // A stranger's forwarded connection to the phone is one of its connections too.
  runAt(roleOf(devices.phone), 'open-endpoint', 'phone', String(PORT));
  await eventually('the phone listens', () => devices.phone.answers('::1', PORT));
  for (const address of ['203.0.113.11', PHONE6]) await call('www', address);
  const all = [PHONE, PHONE6, LAPTOP, LAPTOP6, TABLET];
  expect(await allTracked(...all)).toEqual(all.map(() => true));

  one.desired = { ...one.desired, keys: [laptop] };
  await want();
  await soon('the phone is forgotten', 2000, () => forgotten(PHONE, PHONE6));
  expect(await allTracked(LAPTOP, LAPTOP6, TABLET)).toEqual([true, true, true]);

  // A device that reconnects in that moment keeps its open connections.
  await scene.onHost('conntrack', '--delete', '--mark', '32/0xffffffe0');
  const before = calls.laptop!();
  await eventually('the laptop’s connection goes on', () => calls.laptop!() > before + 10);

  await leave(scene, devices.laptop);
  await soon('the laptop is forgotten', 30_000, () => forgotten(LAPTOP, LAPTOP6));
  expect(await tracked(scene, TABLET)).toBe(true);

  scene.shop.want([one.desired, home.desired]);
  await scene.settled();
  await soon('the tablet is forgotten', 2000, () => forgotten(TABLET));
});

it('FV11 deletes the connections of a disconnected device while another stays, also without an exit notice', async () => {
  const devices = {
    watch: await connect(home, watch),
    radio: await connect(home, radio),
    television: await connect(home, television),
  };
  const server = await scene.serverOf(3);
  for (const device of [devices.watch, devices.radio]) await call(roleOf(device), ADDRESSES.internet);
  const watched = await call(roleOf(devices.television), ADDRESSES.internet);
  for (const device of [devices.watch, devices.television]) await call(roleOf(device), ADDRESSES.internet6);
  // A stranger whose connection was forwarded to the watch and has ended.
  runAt(roleOf(devices.watch), 'open-endpoint', 'watch', String(PORT));
  await eventually('the watch listens', () => devices.watch.answers('::1', PORT));
  const stranger = runAt('www', 'caller', 'tcp', '203.0.113.13', String(PORT));
  await once(stranger, 'message');
  await eventually('the stranger is led', led);
  stranger.kill('SIGKILL');
  const stay = [TELEVISION, TELEVISION6];
  expect(await allTracked(WATCH, WATCH6, RADIO, ...stay)).not.toContain(false);

  await leave(scene, devices.watch);
  const left = await soon('the watch is forgotten', 30_000, () => forgotten(WATCH, WATCH6));
  const seconds = Math.round(left / 1000);
  process.stdout.write(`connections: gone ${seconds} s after the device, while others stay\n`);
  expect(await allTracked(RADIO, ...stay)).not.toContain(false);

  await scene.region.killAgent();
  await leave(scene, devices.radio);
  await sleep(LISTED_MS);
  scene.region.startAgent();
  const before = watched();
  await eventually('the radio is forgotten', () => forgotten(RADIO));
  expect(await allTracked(...stay)).toEqual([true, true]);
  await eventually('the television’s connection goes on', () => watched() > before + 10);
  expect(await scene.serverOf(3)).toBe(server);
});

/**
 * Makes the agent block in its deletion of connections. @returns whether it is blocked, and a
 * function that releases it
 */
async function blockFlowDeletion() {
  const [hold, waits] = [join(scene.dataDir, 'hold'), join(scene.dataDir, 'waits')];
  const [own, slow] = [join(scene.dataDir, 'conntrack'), join(scene.dataDir, 'slow-conntrack')];
  const program = (await must('which', ['conntrack'])).trim();
  copyFileSync(program, own);
  const script = `#!/bin/sh\ntouch ${waits}\nwhile [ -e ${hold} ]; do sleep 0.05; done\nexec ${own} "$@"\n`;
  writeFileSync(slow, script, { mode: 0o755 });
  writeFileSync(hold, '');
  // In the agent's own mount namespace, so that nobody else is slowed down.
  const pids = await processesIn(scene.region.hostNamespace);
  const lines = await Promise.all(pids.map(pid => must('cat', [`/proc/${pid}/cmdline`]).catch(() => '')));
  const agent = pids[lines.findIndex(line => line.includes('agent/src/main.ts'))];
  await must('nsenter', [`--mount=/proc/${agent}/ns/mnt`, 'mount', '--bind', slow, program]);
  return { waits: () => existsSync(waits), release: () => rmSync(hold) };
}

it('FV20 a device that logs in while connections of a disconnected one are being deleted keeps its tunnel', async () => {
  await want();
  const device = await connect(two, tablet);
  const server = await scene.serverOf(2);
  const forgetting = await blockFlowDeletion();
  await leave(scene, device);
  await eventually('connections are being forgotten', forgetting.waits);
  const again = await connect(two, tablet);
  forgetting.release();
  // Without the fix it would be paused, and killed, within a second.
  await sleep(3000);
  expect(await scene.serverOf(2)).toBe(server);
  expect(await again.alive()).toBe(true);
  await again.stop();
});

it('FV11 deletes the connections of a key that was deleted while the agent was away', async () => {
  one.desired = { ...one.desired, keys: [phone, laptop] };
  await want();
  const devices = [await connect(one, phone), await connect(one, laptop)];
  for (const device of devices) await call(roleOf(device), ADDRESSES.internet);
  await call(roleOf(devices[0]!), ADDRESSES.internet6);
  expect(await allTracked(PHONE, PHONE6, LAPTOP)).not.toContain(false);
  await scene.region.killAgent();
  one.desired = { ...one.desired, keys: [laptop] };
  scene.region.startAgent();
  await want();
  await soon('the phone is forgotten', 2000, () => forgotten(PHONE, PHONE6));
  expect(await tracked(scene, LAPTOP)).toBe(true);
});
