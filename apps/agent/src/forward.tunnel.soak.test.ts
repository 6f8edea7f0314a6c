import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Customer } from '@fixpoint/sandbox/internet/customer.ts';
import { ADDRESSES, namespaceOf, spawnIn } from '@fixpoint/sandbox/internet/namespaces.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually, openScene, type Scene } from './testing/scene.ts';
import { download, type Sold, sell } from './testing/subscriptions.ts';

/** A forwarded port of a sold address leads to one device, and to nothing else. */
let scene: Scene;
let one: Sold;
let two: Sold;
let devices: Record<'phone' | 'laptop' | 'tablet', Customer>;
const PORT = 8080;
const OTHER_PORT = 9090;
const phone = { id: 'k_phone1', address: 2 };
const laptop = { id: 'k_laptop', address: 3 };
const tablet = { id: 'k_tablet', address: 2 };
const ADDRESS = '203.0.113.11';
const PHONE6 = '2001:db8:7:b::2';
const LAPTOP6 = '2001:db8:7:b::3';
const NEIGHBOUR = ['203.0.113.12', '2001:db8:7:c::2'] as const;

beforeAll(async () => {
  scene = await openScene();
  [one, two] = await Promise.all([
    sell({ slot: 1, bindAddress: ADDRESS, prefix6: '2001:db8:7:b::/64' }),
    sell({ slot: 2, bindAddress: NEIGHBOUR[0], prefix6: '2001:db8:7:c::/64', keys: [tablet] }),
  ]);
  await lead(phone.id);
  devices = {
    phone: await device(one, phone.id),
    laptop: await device(one, laptop.id),
    tablet: await device(two, tablet.id),
  };
});
afterAll(() => scene?.end());

/** Forwards the port to a key of the first subscription, or to none. */
async function lead(keyId?: string, keys = [phone, laptop]): Promise<void> {
  const led = keys.map(key => (key.id === keyId ? { ...key, forwardedPort: PORT } : key));
  one.desired = { ...one.desired, keys: led };
  scene.shop.want([one.desired, two.desired]);
  await scene.settled();
}

const fileOf = (name: string) => fileURLToPath(new URL(`./testing/${name}.ts`, import.meta.url));

/** A connected device with a program that listens on both ports. */
async function device(sold: Sold, keyId: string): Promise<Customer> {
  const customer = await scene.connect((await download(sold, keyId)).profile);
  const listens = [process.execPath, fileOf('open-endpoint'), keyId, String(PORT), String(OTHER_PORT)];
  customer.exec(listens).catch(() => '');
  await eventually('the device listens', () => customer.answers('::1', OTHER_PORT));
  return customer;
}

/**
 * A caller on the internet that sends continuously; returns the last answer and when its question
 * was sent.
 */
function call(protocol: 'tcp' | 'udp', address: string, port = PORT) {
  const command = [process.execPath, fileOf('caller'), protocol, address, String(port)];
  const caller = spawnIn(namespaceOf(scene.region.id, 'www'), command, {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const heard = { last: '', askedAt: 0, begun: Number.POSITIVE_INFINITY, end: () => void caller.kill() };
  caller.once('message', () => {
    heard.begun = performance.now();
    caller.on('message', message => {
      const { answer, askedAt } = message as { answer: string; askedAt: number };
      Object.assign(heard, { last: answer, askedAt: Math.max(heard.askedAt, askedAt) });
    });
  });
  return heard;
}

const bothProtocols = ['tcp', 'udp'] as const;

/** Answers by protocol; empty after the timeout, which is long for busy machines. */
async function answers(address: string, port = PORT, timeout = 30_000): Promise<string[]> {
  const calls = bothProtocols.map(protocol => call(protocol, address, port));
  const waits = ({ last, begun }: (typeof calls)[number]) => !last && performance.now() < begun + timeout;
  await eventually('all calls have begun', () => calls.every(({ begun }) => Number.isFinite(begun)));
  while (calls.some(waits)) await sleep(20);
  for (const { end } of calls) end();
  return calls.map(({ last }) => last);
}
/** The same where no answer is expected: one would come at once. */
const silence = (address: string, port = PORT) => answers(address, port, 1000);
const NOBODY = ['', ''];
const both = (answer: string) => [answer, answer];

/**
 * Starts answered calls, triggers an event, and returns how many ms later the last answered
 * question was sent.
 */
async function lastAnsweredAfter(addresses: string[], happens: () => Promise<unknown>): Promise<number> {
  const calls = addresses.flatMap(address => bothProtocols.map(protocol => call(protocol, address)));
  await eventually('all calls are answered', () => calls.every(({ last }) => last));
  await happens();
  const done = Date.now();
  await sleep(1000);
  for (const { end } of calls) end();
  return Math.max(...calls.map(({ askedAt }) => askedAt)) - done;
}

describe('FV1 a forwarded port', () => {
  it("forwards TCP and UDP of both families to its device, which sees the caller's address", async () => {
    expect(await answers(ADDRESS)).toEqual(both(`${phone.id} ${ADDRESSES.internet}`));
    expect(await answers(PHONE6)).toEqual(both(`${phone.id} ${ADDRESSES.internet6}`));
    expect(await devices.phone.seenAddress()).toBe(ADDRESS);
  });

  it('FV2 opens no other port, no other device and no other customer', async () => {
    const closed: [string, number][] = [
      ...[ADDRESS, PHONE6].map((address): [string, number] => [address, OTHER_PORT]),
      ...[LAPTOP6, ...NEIGHBOUR].map((address): [string, number] => [address, PORT]),
    ];
    const heard = await Promise.all(closed.map(([address, port]) => silence(address, port)));
    expect(heard).toEqual(closed.map(() => NOBODY));
    const ping = (address: string) => scene.onInternet('ping', '-c', '1', '-W', '1', address);
    for (const address of [ADDRESS, PHONE6]) await expect(ping(address), address).rejects.toThrow();
  });

  it('FV2 is closed to tunnels of this host, by its public and its inner address', async () => {
    const reaches = (from: Customer, address: string) => from.answers(address, PORT);
    const inside = [PHONE6, '10.64.1.2'];
    expect(await Promise.all(inside.map(to => reaches(devices.laptop, to)))).toEqual([false, false]);
    // A client calls its own server outside its tunnel, and is part of the internet there.
    const all = [ADDRESS, ...inside].map(to => reaches(devices.tablet, to));
    expect(await Promise.all(all)).toEqual([false, false, false]);
  });

  it('has its traffic counted and shaped like all traffic of its device', async () => {
    one.desired = { ...one.desired, rateMbit: 6 };
    await lead(phone.id);
    const counted = async (counter: string) => {
      const text = await scene.onHost('nft', 'list', 'counter', 'inet', 'fixpoint', counter);
      return Number(text.match(/bytes (\d+)/)![1]);
    };
    const before = [await counted('d1_k_phone1'), await counted('u1_k_phone1')];
    const seconds = Number(await scene.onInternet(process.execPath, '-e', SEND));
    expect((SENT_BYTES * 8) / 1e6 / seconds).toBeLessThan(6 * 1.1);
    expect((await counted('d1_k_phone1')) - before[0]!).toBeGreaterThan(SENT_BYTES);
    expect((await counted('u1_k_phone1')) - before[1]!).toBeGreaterThan(0);
    one.desired = { ...one.desired, rateMbit: 100 };
    await lead(phone.id);
  });

  it('includes IPv6 traffic of its device', async () => {
    one.desired = { ...one.desired, rateMbit: 6 };
    await lead(phone.id);
    const counted = async () => {
      const counter = await scene.onHost('nft', 'list', 'counter', 'inet', 'fixpoint', 'd1_k_phone1');
      return Number(counter.match(/bytes (\d+)/)![1]);
    };
    const before = await counted();
    expect(await devices.phone.download(SENT_BYTES, 6)).toBeLessThan(6 * 1.1);
    expect((await counted()) - before).toBeGreaterThan(SENT_BYTES);
    one.desired = { ...one.desired, rateMbit: 100 };
    await lead(phone.id);
  });

  it("that moves to another device ends the first one's connections", async () => {
    expect(await lastAnsweredAfter([ADDRESS, PHONE6], () => lead(laptop.id))).toBeLessThan(0);
    expect(await answers(ADDRESS)).toEqual(both(`${laptop.id} ${ADDRESSES.internet}`));
    expect(await answers(LAPTOP6)).toEqual(both(`${laptop.id} ${ADDRESSES.internet6}`));
    expect(await silence(PHONE6)).toEqual(NOBODY);
  });

  it('is repaired in the kernel when parts are missing or added', async () => {
    const change = (verb: string, lookup: string, element: string) =>
      scene.onHost('nft', verb, 'element', 'inet', 'fixpoint', lookup, `{ ${element} }`);
    await change('delete', 'forwards', `${ADDRESS} . ${PORT}`);
    // Retries until a call succeeds: the repair may come first.
    const opened = async () => {
      await change('add', 'forwarded6', `${NEIGHBOUR[1]} . ${PORT}`);
      return answers(NEIGHBOUR[1], PORT, 1000);
    };
    await expect.poll(opened).toEqual(both(`${tablet.id} ${ADDRESSES.internet6}`));
    await eventually('it is as it was', async () => {
      const table = await scene.onHost('nft', 'list', 'table', 'inet', 'fixpoint');
      return table.includes(`${ADDRESS} . ${PORT} : 10.64.1.3`) && !table.includes(`${NEIGHBOUR[1]} .`);
    });
    expect(await answers(ADDRESS)).toEqual(both(`${laptop.id} ${ADDRESSES.internet}`));
    expect(await silence(NEIGHBOUR[1])).toEqual(NOBODY);
  });

  it('ends its connections at once when it is closed', async () => {
    expect(await lastAnsweredAfter([ADDRESS, LAPTOP6], () => lead())).toBeLessThan(0);
    expect(await Promise.all([ADDRESS, LAPTOP6].map(address => silence(address)))).toEqual([NOBODY, NOBODY]);
    expect(await devices.laptop.ping(30_000)).toBeDefined();
  });

  it('ends with its key, and is not its next owner’s', async () => {
    await lead(laptop.id);
    expect(await lastAnsweredAfter([ADDRESS, LAPTOP6], () => lead(laptop.id, [phone]))).toBeLessThan(0);
    expect(await silence(ADDRESS)).toEqual(NOBODY);
    const heir = { id: 'k_heir01', address: laptop.address };
    await lead(undefined, [phone, heir]);
    await device(one, heir.id);
    expect(await Promise.all([ADDRESS, LAPTOP6].map(address => silence(address)))).toEqual([NOBODY, NOBODY]);
  });
});

const SENT_BYTES = 1_500_000;
/**
 * Sends bytes, closes the connection, and prints the seconds until the other side had all of them.
 */
const SEND = `
  const socket = require('node:net').connect(${PORT}, '${ADDRESS}');
  const begun = performance.now();
  socket.resume().on('close', () => console.log((performance.now() - begun) / 1000));
  socket.end(Buffer.alloc(${SENT_BYTES}));`;
