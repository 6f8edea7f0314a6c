import { setTimeout as sleep } from 'node:timers/promises';
import { latestNotAfter } from '@fixpoint/api/adapters/pki/crypto.ts';
import { issueServer } from '@fixpoint/api/adapters/pki/leaf.ts';
import type { Customer } from '@fixpoint/sandbox/internet/customer.ts';
import { ADDRESSES } from '@fixpoint/sandbox/internet/namespaces.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually, openScene, type Scene } from './testing/scene.ts';
import { download, type Sold, sell } from './testing/subscriptions.ts';

/** IPv6 through the tunnel, and names that are looked up nowhere else. */
let scene: Scene;
let one: Sold;
let two: Sold;
const phone = { id: 'k_phone1', address: 2 };
const laptop = { id: 'k_laptop', address: 3 };
const tablet = { id: 'k_tablet', address: 2 };
const PORT_OF_HOST = 8080;
const OTHER_RESOLVER = '192.0.2.11';

beforeAll(async () => {
  scene = await openScene();
  [one, two] = await Promise.all([
    sell({ slot: 1, bindAddress: '203.0.113.11', prefix6: '2001:db8:7:b::/64', keys: [phone, laptop] }),
    sell({ slot: 2, bindAddress: '203.0.113.12', prefix6: '2001:db8:7:c:c00::/72', keys: [tablet] }),
  ]);
  await want();
  await scene.listen('vpn', PORT_OF_HOST);
  await scene.onInternet('ip', 'addr', 'add', `${OTHER_RESOLVER}/32`, 'dev', 'lo');
  await scene.onRouter('ip', 'route', 'add', `${OTHER_RESOLVER}/32`, 'via', ADDRESSES.internet);
  await scene.listen('www', 53);
  // The router and the host have to find each other first.
  await eventually('the host has IPv6', () =>
    scene.onHost('ping', '-c', '1', '-W', '1', ADDRESSES.internet6).then(
      () => true,
      () => false,
    ),
  );
});
afterAll(() => scene?.end());

async function want(dns: string[] = [ADDRESSES.internet]): Promise<void> {
  scene.shop.want([one.desired, two.desired], { dns });
  await scene.settled();
}

const connect = async (sold: Sold, key: { id: string }) =>
  scene.connect((await download(sold, key.id)).profile);

const pings = async (customer: Customer, address: string): Promise<boolean> =>
  customer.exec(['ping', '-c', '2', '-i', '0.2', '-W', '1', address]).then(
    () => true,
    () => false,
  );

/** Which of these addresses answer a customer in any way. */
async function reached(customer: Customer, addresses: string[]): Promise<string[]> {
  const answers = await Promise.all(
    addresses.map(
      async address => (await pings(customer, address)) || customer.answers(address, PORT_OF_HOST),
    ),
  );
  return addresses.filter((_, n) => answers[n]);
}

/**
 * Packets of a customer that the internet can see, less those of the tunnel, of finding the router, and of the kernel, which
 * says that a tunnel's socket is gone.
 */
const bare = ({ device }: Customer) =>
  scene.countAtRouter(
    `iifname "${device}" ip daddr ${ADDRESSES.pool} icmp type destination-unreachable accept`,
    `iifname "${device}" ip daddr ${ADDRESSES.pool} udp dport 1194 accept`,
    `iifname "${device}" icmpv6 type { nd-neighbor-solicit, nd-neighbor-advert, nd-router-solicit, mld2-listener-report } accept`,
    `iifname "${device}" counter name n`,
  );

describe('FV1 a subscription with a prefix', () => {
  it('gives each device its own address of IPv6, and nothing leaves beside the tunnel', async () => {
    const [a, b, c] = await Promise.all([connect(one, phone), connect(one, laptop), connect(two, tablet)]);
    const left = await Promise.all([a, b, c].map(bare));
    for (const customer of [a, b, c])
      await eventually('IPv6 through the tunnel', () => pings(customer, ADDRESSES.internet6));
    expect(await a.seenAddress(6)).toBe('2001:db8:7:b::2');
    expect(await b.seenAddress(6)).toBe('2001:db8:7:b::3');
    expect(await c.seenAddress(6)).toBe('2001:db8:7:c:c00::2');
    expect(await a.seenAddress()).toBe('203.0.113.11');
    await Promise.all([ADDRESSES.internet6, '2001:db8:ffff::1', '2600::1'].map(to => pings(a, to)));
    for (const count of left) expect(await count()).toBe(0);
    await Promise.all([a, b, c].map(customer => customer.stop()));
  });

  it('FV2 lets its devices reach the internet alone, and is reached by nobody', async () => {
    const [customer, neighbour, other] = await Promise.all([
      connect(one, phone),
      connect(one, laptop),
      connect(two, tablet),
    ]);
    const inside = ['2001:db8:7:b::3', '2001:db8:7:b::1', '2001:db8:7:c:c00::2', ADDRESSES.host6];
    expect(await reached(customer, [...inside, 'fd00::1', 'fe80::1%tun0'])).toEqual([]);
    await expect.poll(() => pings(customer, ADDRESSES.internet6)).toBe(true);
    const outside = await scene.eyesOf('www');
    const answers = (address: string) =>
      outside({ ask: 'answers', address, port: PORT_OF_HOST, timeoutMs: 1000 });
    neighbour.exec([process.execPath, '-e', LISTEN]).catch(() => '');
    await eventually('the device listens', () => neighbour.answers('::1', PORT_OF_HOST));
    expect(await Promise.all(inside.slice(0, 3).map(answers))).toEqual([false, false, false]);
    await expect.poll(() => answers(ADDRESSES.host6)).toBe(true);
    await Promise.all([customer, neighbour, other].map(one => one.stop()));
  });

  it('FV3 is closed without the firewall, also to the host, and open again with it', async () => {
    const [customer, other] = await Promise.all([connect(one, phone), connect(two, tablet)]);
    await scene.region.killAgent();
    await scene.onHost('nft', 'flush', 'ruleset');
    const left = await scene.countAtRouter(`iifname "vpn" ip6 saddr ${ADDRESSES.pool6} counter name n`);
    const places = [ADDRESSES.internet6, ADDRESSES.host6, '2001:db8:7:c:c00::2'];
    expect(await reached(customer, places)).toEqual([]);
    expect(await left()).toBe(0);
    // The host itself is not cut off.
    const outside = await scene.eyesOf('www');
    const answers = { ask: 'answers', port: PORT_OF_HOST, timeoutMs: 1000 } as const;
    await expect.poll(() => outside({ ...answers, address: ADDRESSES.host6 })).toBe(true);
    await scene.onHost('ping', '-c', '1', '-W', '30', ADDRESSES.internet6);
    scene.region.startAgent();
    await eventually('all is well again', () => pings(customer, ADDRESSES.internet6));
    expect(await customer.seenAddress(6)).toBe('2001:db8:7:b::2');
    await Promise.all([customer.stop(), other.stop()]);
  });

  it('counts and shapes what is of IPv6, too', async () => {
    one.desired = { ...one.desired, rateMbit: 6 };
    await want();
    const customer = await connect(one, phone);
    const counted = async () => {
      const counter = await scene.onHost('nft', 'list', 'counter', 'inet', 'fixpoint', 'd1_k_phone1');
      return Number(counter.match(/bytes (\d+)/)![1]);
    };
    const before = await counted();
    expect(await customer.download(1_500_000, 6)).toBeLessThan(6 * 1.1);
    expect((await counted()) - before).toBeGreaterThan(1_500_000);
    one.desired = { ...one.desired, rateMbit: 100 };
    await want();
    await customer.stop();
  });
});

const LISTEN = `require('node:net').createServer(s => s.end()).listen(${PORT_OF_HOST}, '::')`;

describe('a name', () => {
  const askedVia = (resolver: string) =>
    scene.countAtRouter(
      `iifname "vpn" ip saddr 203.0.113.11 ip daddr ${resolver} meta l4proto { tcp, udp } th dport 53 counter name n`,
    );

  it('FV17 is asked of the tunnel’s own resolver, by the sold address, and beside the tunnel of nobody', async () => {
    const customer = await connect(one, phone);
    expect(customer.output()).not.toContain(ADDRESSES.internet);
    const [asked, left] = await Promise.all([askedVia(ADDRESSES.internet), bare(customer)]);
    for (const resolver of ['10.64.1.1', '10.64.1.254']) {
      await expect.poll(() => customer.answers(resolver, 53), { message: resolver }).toBe(true);
      await customer.exec(['bash', '-c', `echo x > /dev/udp/${resolver}/53`]);
      // A resolver answers names and nothing else.
      expect(await customer.answers(resolver, 80), resolver).toBe(false);
    }
    await expect.poll(asked).toBeGreaterThanOrEqual(4);
    expect(await left()).toBe(0);
    await customer.stop();
  });

  it('FV18 is asked of other resolvers without an end to any tunnel', async () => {
    const customer = await connect(one, phone);
    const [before, left] = [await scene.serverOf(one.desired.slot), await bare(customer)];
    const asked = await askedVia(OTHER_RESOLVER);
    await want([OTHER_RESOLVER]);
    await expect.poll(() => customer.answers('10.64.1.1', 53)).toBe(true);
    expect(await asked()).toBeGreaterThan(0);
    expect(await scene.serverOf(one.desired.slot)).toBe(before);
    expect(await left()).toBe(0);
    await customer.stop();
  });
});

describe('FV18 a server that begins anew', () => {
  it('lets nothing out bare meanwhile', async () => {
    const customer = await connect(one, phone);
    const left = await bare(customer);
    const talk = customer.exec(['ping', '-i', '0.02', '-w', '4', ADDRESSES.internet]).catch(() => '');
    const talk6 = customer.exec(['ping', '-i', '0.02', '-w', '4', ADDRESSES.internet6]).catch(() => '');
    await sleep(500);
    const now = new Date();
    const server = await issueServer({
      ...one.authority,
      serverName: `sub-${one.desired.id}`,
      now,
      notAfter: latestNotAfter(now),
    });
    one.desired = { ...one.desired, serverCertificate: server.certificate, serverKey: server.key };
    await want();
    await Promise.all([talk, talk6]);
    await eventually('the tunnel is back', () => customer.alive());
    await eventually('IPv6 is back', () => pings(customer, ADDRESSES.internet6));
    expect(await left()).toBe(0);
    await customer.stop();
  });
});
