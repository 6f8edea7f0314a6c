import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Customer } from '@fixpoint/sandbox/internet/customer.ts';
import { ADDRESSES } from '@fixpoint/sandbox/internet/namespaces.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hostHasIpv6, pings, reached } from './testing/observe.ts';
import { eventually, openScene, type Scene, UNANSWERED_MS } from './testing/scene.ts';
import { download, type Sold, sell } from './testing/subscriptions.ts';

/** A tunnel leads only to the internet, and a sold address only to what was opened on it. */
let scene: Scene;
let one: Sold;
let two: Sold;
let phone: Customer;
let laptop: Customer;
let tablet: Customer;
/**
 * Everything listens here: the host, the private networks around it, each device; only the first
 * device's port is forwarded.
 */
const PORT = 8080;
const OTHER_PORT = 9090;
const [ADDRESS, OTHER_ADDRESS] = ['203.0.113.11', '203.0.113.12'];
const [PHONE6, LAPTOP6, TABLET6] = ['2001:db8:7:b::2', '2001:db8:7:b::3', '2001:db8:7:c:c00::2'];
/** Cloud metadata, private and carrier networks, test networks: none is part of the internet. */
const PRIVATE = ['169.254.169.254', '10.0.0.5', '172.16.5.5', '192.168.7.7', '100.64.9.9', '198.18.0.9'];
const listenerFile = fileURLToPath(new URL('./testing/open-endpoint.ts', import.meta.url));

beforeAll(async () => {
  scene = await openScene();
  [one, two] = await Promise.all([
    sell({
      slot: 1,
      bindAddress: ADDRESS,
      tcpPort: 443,
      prefix6: '2001:db8:7:b::/64',
      keys: [
        { id: 'k_phone1', address: 2, forwardedPort: PORT },
        { id: 'k_laptop', address: 3 },
      ],
    }),
    sell({
      slot: 2039,
      bindAddress: OTHER_ADDRESS,
      port: 443,
      prefix6: '2001:db8:7:c:c00::/72',
      keys: [{ id: 'k_tablet', address: 2 }],
    }),
  ]);
  scene.shop.want([one.desired, two.desired]);
  await scene.settled();
  for (const address of PRIVATE) await scene.onRouter('ip', 'addr', 'add', `${address}/32`, 'dev', 'lo');
  await Promise.all([
    scene.listen('vpn', PORT, OTHER_PORT),
    scene.listen('net', PORT),
    scene.listen('www', 25, 587),
    hostHasIpv6(scene),
  ]);
  [phone, laptop, tablet] = await Promise.all([
    device(one, 'k_phone1'),
    device(one, 'k_laptop'),
    device(two, 'k_tablet'),
  ]);
});
afterAll(() => scene?.end());

/** A connected device with a program that listens. */
async function device(sold: Sold, keyId: string): Promise<Customer> {
  const customer = await scene.connect((await download(sold, keyId)).profile);
  const program = [process.execPath, listenerFile, keyId, String(PORT), String(OTHER_PORT)];
  customer.exec(program).catch(() => '');
  await eventually(`${keyId} listens`, () => customer.answers('::1', OTHER_PORT));
  return customer;
}

describe('FV2 V25 behind a tunnel', () => {
  it('only the internet is reachable: no metadata, no private network, no host, no port 25', async () => {
    const host = [ADDRESSES.host, ADDRESSES.host6];
    const fromHost = await scene.probeAt('vpn');
    for (const address of [...PRIVATE, ...host])
      await expect
        .poll(() => fromHost({ ask: 'answers', address, port: PORT, timeoutMs: 1500 }), { message: address })
        .toBe(true);
    const gateways = ['10.64.1.1', '2001:db8:7:b::1', 'fe80::1%tun0', 'fd00::1'];
    expect(await reached(phone, [...PRIVATE, ...host, ...gateways], PORT)).toEqual([]);
    for (const address of [ADDRESSES.internet, ADDRESSES.internet6])
      await expect.poll(() => pings(phone, address), { message: address }).toBe(true);
    await expect.poll(() => phone.answers(ADDRESSES.internet, 587)).toBe(true);
    expect(await phone.answers(ADDRESSES.internet, 25)).toBe(false);
  });

  it('V22 no other device is reachable, of the same customer or of another', async () => {
    // Verifies the test's own addresses.
    expect(await tablet.exec(['ip', 'addr', 'show', 'dev', 'tun0'])).toContain('10.71.247.2/24');
    expect(await tablet.exec(['ip', 'addr', 'show', 'dev', 'tun0'])).toContain(TABLET6);
    const sameCustomer = ['10.64.1.3', LAPTOP6];
    const another = ['10.71.247.2', TABLET6, '10.71.247.1', OTHER_ADDRESS];
    expect(await reached(phone, [...sameCustomer, ...another], PORT)).toEqual([]);
    // Not even by the port that the internet may call.
    expect(await reached(laptop, ['10.64.1.2', PHONE6], PORT)).toEqual([]);
    expect(await reached(tablet, [ADDRESS, '10.64.1.2', PHONE6], PORT)).toEqual([]);
  });

  it('a key opens its own subscription only', async () => {
    const [mine, theirs] = [await download(one, 'k_phone1'), await download(two, 'k_tablet')];
    const inline = (text: string, tag: string) => text.match(new RegExp(`<${tag}>[\\s\\S]+</${tag}>`))![0];
    // All public and shared parts of the other subscription, with an own key.
    const mixed = theirs.profile
      .replace(inline(theirs.profile, 'cert'), inline(mine.profile, 'cert'))
      .replace(inline(theirs.profile, 'key'), inline(mine.profile, 'key'));
    await scene.refused(mixed, UNANSWERED_MS);
    // A certificate of the right authority for a key that does not exist.
    expect(await scene.refused((await download(two, 'k_phone1')).profile)).toContain('AUTH_FAILED');
  });
});

it('FV2 of sold addresses the internet reaches the VPN and a forwarded port: no other port, device or service', async () => {
  const outside = await scene.probeAt('www');
  const answers = (address: string, port: number) =>
    outside({ ask: 'answers', address, port, timeoutMs: 1500 });
  // The host's own address is not sold; the port is forwarded to the phone.
  for (const open of [ADDRESSES.host, ADDRESS, PHONE6])
    await expect.poll(() => answers(open, PORT), { message: open }).toBe(true);
  const closed: [address: string, port: number][] = [
    ...[ADDRESS, PHONE6, OTHER_ADDRESS].map((address): [string, number] => [address, OTHER_PORT]),
    ...[OTHER_ADDRESS, LAPTOP6, TABLET6, '2001:db8:7:b::1'].map((address): [string, number] => [
      address,
      PORT,
    ]),
  ];
  const answered = await Promise.all(closed.map(([address, port]) => answers(address, port)));
  expect(closed.filter((_, n) => answered[n])).toEqual([]);
});

describe('the host', () => {
  it('S77 FV10 runs each openvpn unprivileged, as its own user with its own limits', async () => {
    for (const { slot } of [one.desired, two.desired]) {
      const pid = await scene.serverOf(slot);
      const status = readFileSync(`/proc/${pid}/status`, 'utf8');
      expect(status).toMatch(/^CapEff:\s+0{16}$/m);
      expect(status).toMatch(/^CapBnd:\s+0{16}$/m);
      expect(status).toMatch(/^NoNewPrivs:\s+1$/m);
      const own = 70_000 + slot;
      expect(status).toMatch(new RegExp(`^Uid:\\s+${own}\\s+${own}\\s+${own}\\s+${own}$`, 'm'));
      expect(status).toMatch(new RegExp(`^Gid:\\s+${own}\\s+${own}\\s+${own}\\s+${own}$`, 'm'));
      const limits = readFileSync(`/proc/${pid}/limits`, 'utf8');
      expect(limits).toMatch(/^Max core file size\s+0\s+0\s/m);
      expect(limits).toMatch(/^Max data size\s+67108864\s+67108864\s/m);
      expect(limits).toMatch(/^Max open files\s+64\s+64\s/m);
    }
  });

  it('FV10 lets no process read another one or its files', async () => {
    const pid = await scene.serverOf(one.desired.slot);
    const client = join(scene.region.runDir, String(one.desired.slot), 'clients/k_phone1');
    const reads = (uid: number, path: string) => {
      const as = [`--reuid=${uid}`, `--regid=${uid}`, '--clear-groups'];
      return scene.onHost('setpriv', ...as, 'head', '-c', '1', path).then(
        () => true,
        () => false,
      );
    };
    const [own, another, nobody] = [70_000 + one.desired.slot, 70_000 + two.desired.slot, 65_534];
    for (const path of [`/proc/${pid}/maps`, `/proc/${pid}/environ`, client]) {
      expect(await reads(own, path), path).toBe(true);
      expect(await reads(another, path), path).toBe(false);
      expect(await reads(nobody, path), path).toBe(false);
    }
  });

  it('tracks connections without times or byte counts, and deletes them', async () => {
    const setting = (name: string) => scene.onHost('cat', `/proc/sys/net/netfilter/nf_conntrack_${name}`);
    for (const name of ['acct', 'timestamp', 'log_invalid']) expect(await setting(name)).toBe('0\n');
    expect(await setting('tcp_timeout_established')).toBe('7440\n');
  });

  it('S78 listens only on the VPN ports of each static address', async () => {
    const sockets = (table: string) =>
      scene.onHost('cat', `/proc/net/${table}`).then(text => text.trim().split('\n').slice(1));
    const bound = (lines: string[]) => lines.map(line => line.trim().split(/\s+/)[1]!).sort();
    const listening = (await Promise.all([sockets('tcp'), sockets('tcp6')]))
      .flat()
      .filter(line => line.trim().split(/\s+/)[3] === '0A');
    // In kernel notation: 203.0.113.11:443, and this test's own program at 8080 and 9090.
    expect(bound(listening)).toEqual([
      ...['1F90', '2382'].map(port => `${'0'.repeat(32)}:${port}`),
      '0B7100CB:01BB',
    ]);
    // 203.0.113.11:1194 and 203.0.113.12:443. A restarting server has its own again soon.
    await expect.poll(async () => bound(await sockets('udp'))).toEqual(['0B7100CB:04AA', '0C7100CB:01BB']);
    expect(await sockets('udp6')).toEqual([]);
  });
});
