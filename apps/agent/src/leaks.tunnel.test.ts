import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { latestNotAfter } from '@fixpoint/api/adapters/pki/crypto.ts';
import { issueServer } from '@fixpoint/api/adapters/pki/leaf.ts';
import { type Customer, startProbe } from '@fixpoint/sandbox/internet/customer.ts';
import { ADDRESSES } from '@fixpoint/sandbox/internet/namespaces.ts';
import { run } from '@fixpoint/sandbox/internet/run.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { countBeside, countUnmasked, hostHasIpv6, pings, reached } from './testing/observe.ts';
import { eventually, openScene, type Scene, UNANSWERED_MS } from './testing/scene.ts';
import { download, type Sold, sell } from './testing/subscriptions.ts';

/** Nothing leaves outside the tunnel: IPv4, IPv6, names. The central router counts what passes. */
let scene: Scene;
let one: Sold;
let two: Sold;
/** One of a subscription with an IPv6 prefix, and one without. */
let phone: Customer;
let tablet: Customer;
/** The tablet's own IPv6 address, before it connects. */
let own6 = '';
const PORT_OF_HOST = 8080;
const OTHER_RESOLVER = '192.0.2.11';

beforeAll(async () => {
  scene = await openScene();
  const [k_phone1, k_tablet] = [
    { id: 'k_phone1', address: 2 },
    { id: 'k_tablet', address: 2 },
  ];
  one = await sell({ slot: 1, bindAddress: '203.0.113.11', prefix6: '2001:db8:7:b::/64', keys: [k_phone1] });
  two = await sell({ slot: 2, bindAddress: '203.0.113.12', keys: [k_tablet] });
  await want();
  await scene.onInternet('ip', 'addr', 'add', `${OTHER_RESOLVER}/32`, 'dev', 'lo');
  await scene.onRouter('ip', 'route', 'add', `${OTHER_RESOLVER}/32`, 'via', ADDRESSES.internet);
  await Promise.all([scene.listen('vpn', PORT_OF_HOST), scene.listen('www', 53), hostHasIpv6(scene)]);
  phone = await scene.connect((await download(one, k_phone1.id)).profile);
  tablet = await scene.connect((await download(two, k_tablet.id)).profile, {
    async before(namespace) {
      const { ask, ready } = startProbe(namespace);
      await ready;
      own6 = await ask<string>({ ask: 'address', family: 6 });
    },
  });
});
afterAll(() => scene?.end());

async function want(dns: string = ADDRESSES.internet): Promise<void> {
  scene.shop.want([one.desired, two.desired], { dns: [dns] });
  await scene.settled();
}

it('FV1 V24 no packet of either family leaves outside the tunnel, with an IPv6 prefix and without', async () => {
  expect(own6).toMatch(/^2001:db8:0:2::\d+$/);
  const beside = await Promise.all([countBeside(scene, phone), countBeside(scene, tablet)]);
  await eventually('IPv6 through the tunnel', () => pings(phone, ADDRESSES.internet6));
  // Programs are told at once that there is no IPv6.
  await expect(tablet.seenAddress(6)).rejects.toThrow('fetch failed');
  const everywhere = [ADDRESSES.internet, ADDRESSES.internet6, '8.8.8.8', '2001:db8:ffff::1', '2600::1'];
  await Promise.all([phone, tablet].flatMap(device => everywhere.map(to => pings(device, to))));
  for (const count of beside) expect(await count()).toBe(0);
  // Verifies the counter.
  await tablet.exec(['ping', '-c', '1', '-W', '1', '-I', 'eth0', ADDRESSES.customerGateway]).catch(() => '');
  expect(await beside[1]!()).toBeGreaterThan(0);
});

/** Counts DNS queries of the first subscription's devices to a resolver. */
const countNames = (resolver: string) =>
  scene.countAtRouter(
    `iifname "vpn" ip saddr 203.0.113.11 ip daddr ${resolver} meta l4proto { tcp, udp } th dport 53 counter name n`,
  );

it('FV17 V39 names are resolved by the tunnel’s resolver, from the sold address, and never outside the tunnel', async () => {
  expect(phone.output()).not.toContain(ADDRESSES.internet);
  const asked = await countNames(ADDRESSES.internet);
  const beside = await countBeside(scene, phone);
  for (const resolver of ['10.64.1.1', '10.64.1.254']) {
    await expect.poll(() => phone.answers(resolver, 53), { message: resolver }).toBe(true);
    await phone.exec(['bash', '-c', `echo x > /dev/udp/${resolver}/53`]);
    // A resolver answers DNS and nothing else.
    expect(await phone.answers(resolver, 80), resolver).toBe(false);
  }
  await expect.poll(asked).toBeGreaterThanOrEqual(4);
  expect(await beside()).toBe(0);
});

it('FV18 names are resolved by another resolver once the shop says so, and no tunnel ends', async () => {
  const server = await scene.serverOf(1);
  const [asked, beside] = [await countNames(OTHER_RESOLVER), await countBeside(scene, phone)];
  await want(OTHER_RESOLVER);
  await expect.poll(() => phone.answers('10.64.1.1', 53)).toBe(true);
  expect(await asked()).toBeGreaterThan(0);
  expect(await scene.serverOf(1)).toBe(server);
  expect(await beside()).toBe(0);
});

it('FV18 nothing leaves outside the tunnel while its server is replaced, and the device reconnects by itself', async () => {
  const beside = await countBeside(scene, phone);
  const talking = join(scene.dataDir, 'talking');
  writeFileSync(talking, '');
  const talk = [ADDRESSES.internet, ADDRESSES.internet6].map(to =>
    phone.exec([
      'bash',
      '-c',
      `while [ -e ${talking} ]; do ping -q -i 0.02 -c 25 -W 1 ${to} > /dev/null || sleep 0.05; done`,
    ]),
  );
  const server = await scene.serverOf(1);
  const now = new Date();
  const { certificate, key } = await issueServer({
    ...one.authority,
    serverName: `sub-${one.desired.id}`,
    now,
    notAfter: latestNotAfter(now),
  });
  one.desired = { ...one.desired, serverCertificate: certificate, serverKey: key };
  await want();
  await eventually('the tunnel is back', () => phone.alive());
  await eventually('IPv6 is back', () => pings(phone, ADDRESSES.internet6));
  rmSync(talking);
  await Promise.all(talk);
  expect(await scene.serverOf(1)).not.toBe(server);
  expect(await phone.seenAddress()).toBe('203.0.113.11');
  expect(await beside()).toBe(0);
});

it('FV3 V22 a host without its firewall forwards nothing, and works again once its agent is back', async () => {
  await scene.region.killAgent();
  expect(await phone.ping(30_000)).toBeDefined();
  const left = await Promise.all([
    countUnmasked(scene),
    scene.countAtRouter(`iifname "vpn" ip6 saddr ${ADDRESSES.pool6} counter name n`),
  ]);
  await scene.onHost('nft', 'flush', 'ruleset');
  expect(await phone.alive()).toBe(false);
  const places = [ADDRESSES.internet, ADDRESSES.host, '10.64.1.1', '10.64.2.2', '203.0.113.12'];
  const places6 = [ADDRESSES.internet6, ADDRESSES.host6, '2001:db8:7:b::1'];
  expect(await reached(phone, [...places, ...places6], PORT_OF_HOST)).toEqual([]);
  for (const count of left) expect(await count()).toBe(0);
  expect(await scene.onHost('nft', 'list', 'ruleset')).toBe('');
  // The host itself stays reachable.
  const outside = await scene.probeAt('www');
  for (const address of [ADDRESSES.host, ADDRESSES.host6])
    await expect
      .poll(() => outside({ ask: 'answers', port: PORT_OF_HOST, timeoutMs: 1000, address }))
      .toBe(true);
  scene.region.startAgent();
  await eventually('IPv4 is back', () => phone.alive());
  await eventually('IPv6 is back', () => pings(phone, ADDRESSES.internet6));
  expect(await pings(phone, '10.64.2.2')).toBe(false);
});

it('S81 the host keeps no address of a customer anywhere, not even of a failed login', async () => {
  const stranger = await sell({ slot: 1, bindAddress: '203.0.113.11' });
  const strange = { ...stranger, desired: { ...one.desired, ca: one.desired.ca } };
  await scene.refused((await download(strange, 'k_phone1')).profile, UNANSWERED_MS);
  await phone.stop();
  const places = [scene.region.stateDir, scene.region.runDir, '/var/log', '/run'];
  /** Regular files that contain the text. */
  const holding = async (text: string): Promise<string> =>
    (await run('grep', ['-rlaFs', '--devices=skip', text, ...places])).out;
  const control = join(scene.region.stateDir, 'control');
  writeFileSync(control, `from ${phone.address}:40000`);
  expect(await holding(phone.address)).toBe(`${control}\n`);
  rmSync(control);
  for (const address of ['198.51.100.', phone.address]) {
    expect(await holding(address)).toBe('');
    expect(scene.agentLines.filter(line => line.includes(address))).toEqual([]);
    expect(JSON.stringify(scene.shop.reports)).not.toContain(address);
  }
});
