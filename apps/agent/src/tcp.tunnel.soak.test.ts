import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '@fixpoint/sandbox/internet/run.ts';
import { slowness, watchSlowness } from '@fixpoint/testkit/slowness.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCanaries } from './testing/canary.ts';
import { dropUdp, withoutUdp } from './testing/observe.ts';
import { best, eventually, openScene, type Scene, UNANSWERED_MS } from './testing/scene.ts';
import { download, type Sold, sell } from './testing/subscriptions.ts';

/** Networks that allow only the web: same file and address, over TCP. */
let scene: Scene;
let one: Sold;
let two: Sold;
const phone = { id: 'k_phone1', address: 2 };
const laptop = { id: 'k_laptop', address: 3 };
const tablet = { id: 'k_tablet', address: 2 };
const RELAY_USER = 70_000;

beforeAll(async () => {
  scene = await openScene();
  [one, two] = await Promise.all([
    sell({
      slot: 1,
      bindAddress: '203.0.113.11',
      tcpPort: 443,
      prefix6: '2001:db8:7:b::/64',
      keys: [phone, laptop],
    }),
    sell({ slot: 2, bindAddress: '203.0.113.12', keys: [tablet] }),
  ]);
  scene.shop.want([one.desired, two.desired]);
  await scene.settled();
});
afterAll(() => scene?.end());

const want = async (change: Partial<Sold['desired']>) => {
  one.desired = { ...one.desired, ...change };
  scene.shop.want([one.desired, two.desired]);
  await scene.settled();
};

const byTcp = async (key: { id: string }) => scene.connect(withoutUdp((await download(one, key.id)).profile));
const overTcp = (output: string) => output.includes('TCP connection established');

/** Process of the relay; undefined when there is none. */
async function relay(): Promise<number | undefined> {
  const { out } = await run('cat', [join(scene.region.runDir, 'relay/pid')]);
  const pid = Number(out);
  const { code } = await run('test', ['-d', `/proc/${pid}`]);
  return pid > 0 && code === 0 ? pid : undefined;
}

const listening = async (): Promise<string[]> =>
  (await scene.onHost('ss', '-Htln')).split('\n').flatMap(line => line.trim().split(/\s+/)[3] ?? []);

// First, before any UDP packet from the caller's address, which a server would remember.
test('S81 nobody remembers callers over TCP', async () => {
  const canaries = await createCanaries(scene);
  const { profile } = await download(one, phone.id);
  expect(withoutUdp(profile)).not.toMatch(/ udp$/m);
  const left = await canaries.send(withoutUdp(profile));
  const where = [scene.region.stateDir, scene.region.runDir];
  const { findings, unread, memoryBytes } = await canaries.search(left, where, 1000);
  expect(unread).toEqual([]);
  expect(memoryBytes).toBeGreaterThan(10_000_000);
  const [caller] = left.marks.addresses;
  expect(findings.filter(({ what }) => what.includes(`${caller},`))).toEqual([]);
});

test('V16 where UDP is blocked the same file connects over TCP, and its line is fast enough', async () => {
  const begun = performance.now();
  const customer = await scene.connect((await download(one, phone.id)).profile, { before: dropUdp });
  process.stdout.write(`UDP closed: tunnel over TCP after ${(performance.now() - begun).toFixed(0)} ms\n`);
  expect(overTcp(customer.output())).toBe(true);
  expect(await best(5, () => customer.download(2_000_000))).toBeGreaterThan(5 / slowness());
  expect(await best(5, () => customer.upload(2_000_000))).toBeGreaterThan(5 / slowness());
  await customer.stop();
});

test('V16 a device prefers UDP, and a subscription without a TCP port has none', async () => {
  const customer = await scene.connect((await download(one, phone.id)).profile);
  expect(overTcp(customer.output())).toBe(false);
  expect(await listening()).toEqual(['203.0.113.11:443']);
  const withTcpPort = { ...two, desired: { ...two.desired, tcpPort: 443 } };
  await scene.refused(withoutUdp((await download(withTcpPort, tablet.id)).profile), UNANSWERED_MS);
  await customer.stop();
});

test('S76 a deleted key is cut off at once over both transports, and stays refused', async () => {
  const [udp, tcp] = await Promise.all([
    scene.connect((await download(one, phone.id)).profile),
    byTcp(laptop),
  ]);
  await Promise.all([udp.watch(), tcp.watch()]);
  await eventually('echoes', async () => (await udp.lastEcho()) > 0 && (await tcp.lastEcho()) > 0);
  const [begun, allowed] = [Date.now(), watchSlowness()];
  await want({ keys: [] });
  for (const [way, customer] of Object.entries({ udp, tcp })) {
    await eventually(`nothing comes over ${way}`, async () => !(await customer.alive()));
    const dead = (await customer.lastEcho()) - begun;
    process.stdout.write(`key deleted: last packet over ${way} ${dead} ms after the change\n`);
    expect(dead).toBeLessThan(allowed(500));
    expect(customer.output()).toContain('Halt command was pushed');
  }
  expect(await scene.refused((await download(one, laptop.id)).profile)).toContain('AUTH_FAILED');
  expect(await scene.refused(withoutUdp((await download(one, laptop.id)).profile))).toContain('AUTH_FAILED');
  await want({ keys: [phone, laptop] });
  await Promise.all([udp.stop(), tcp.stop()]);
});

test('V28 V31 both transports share one bandwidth limit and one count', async () => {
  await want({ rateMbit: 12 });
  const [udp, tcp] = await Promise.all([
    scene.connect((await download(one, phone.id)).profile),
    byTcp(laptop),
  ]);
  const device = async () => {
    const read = (name: string) => scene.onHost('cat', `/sys/class/net/fpt1/statistics/${name}_bytes`);
    return { down: Number(await read('tx')), up: Number(await read('rx')) };
  };
  const before = await device();
  const sum = async () => {
    const begun = performance.now();
    const rates = await Promise.all([udp.download(3_000_000), tcp.download(3_000_000)]);
    const both = (6_000_000 * 8) / 1000 / (performance.now() - begun);
    process.stdout.write(
      `12 Mbit/s: UDP ${rates[0].toFixed(1)}, TCP ${rates[1].toFixed(1)}, both ${both.toFixed(1)}\n`,
    );
    expect(both).toBeLessThan(12 * 1.05);
    return both;
  };
  expect(await best(12 * 0.7, sum)).toBeGreaterThan((12 * 0.7) / slowness());
  await tcp.upload(1_000_000);
  const grown = await device();
  const counted = () => {
    const { days } = JSON.parse(readFileSync(join(scene.region.runDir, 'usage.json'), 'utf8')) as {
      days: Record<string, Record<string, { down: number; up: number }>>;
    };
    const keys = Object.values(days).at(-1) ?? {};
    return {
      phone: keys[phone.id]?.down ?? 0,
      laptop: keys[laptop.id]?.down ?? 0,
      up: keys[laptop.id]?.up ?? 0,
    };
  };
  expect(grown.down - before.down).toBeGreaterThan(6_000_000);
  await eventually('all is counted', () => counted().up > 1_000_000);
  // Half of the sum, as far as both share evenly.
  expect(counted().laptop).toBeGreaterThan(2_500_000);
  await want({ rateMbit: 100 });
  await Promise.all([udp.stop(), tcp.stop()]);
});

test('V26 also over TCP a path of 1400 bytes whose routers send no ICMP is wide enough', async () => {
  const customer = await byTcp(phone);
  // Wire-sized packets; namespaces pass large ones unsegmented.
  await customer.exec(['ip', 'link', 'set', 'eth0', 'gso_max_segs', '1']);
  await scene.onHost('ip', 'link', 'set', 'eth0', 'gso_max_segs', '1');
  const drops = ['iifname', 'oifname'].map(
    side => `add rule inet narrow way ${side} "${customer.device}" ip length > 1400 drop`,
  );
  const way = ['add table inet narrow', 'add chain inet narrow way { type filter hook forward priority 0; }'];
  await scene.onRouter('nft', [...way, ...drops].join('\n'));
  expect(await best(0.5, () => customer.download(1_000_000))).toBeGreaterThan(0.5);
  expect(await best(0.5, () => customer.upload(1_000_000))).toBeGreaterThan(0.5);
  await scene.onRouter('nft', 'delete table inet narrow');
  await scene.onHost('ip', 'link', 'set', 'eth0', 'gso_max_segs', '65535');
  await customer.stop();
});

test('V13 FV8 the relay outlives the agent; a hanging or killed one is replaced at once', async () => {
  const customer = await byTcp(phone);
  const first = await relay();
  const status = readFileSync(`/proc/${first}/status`, 'utf8');
  expect(status).toMatch(new RegExp(`^Uid:\\s+${[1, 2, 3, 4].map(() => RELAY_USER).join('\\s+')}$`, 'm'));
  expect(status).toMatch(/^Groups:\s*$/m);
  for (const kind of ['Inh', 'Prm', 'Eff', 'Amb'])
    expect(status).toMatch(new RegExp(`^Cap${kind}:\\s+0+$`, 'm'));
  expect(status).toMatch(/^NoNewPrivs:\s+1$/m);
  await scene.region.killAgent();
  expect(await customer.ping(30_000)).toBeDefined();
  const lines = scene.agentLines.length;
  scene.region.startAgent();
  await eventually('the set is applied', () =>
    scene.agentLines.slice(lines).some(line => line.includes('"applied"')),
  );
  expect(await relay()).toBe(first);
  expect(await customer.ping(30_000)).toBeDefined();
  process.kill(first!, 'SIGKILL');
  await eventually(
    'another relay',
    async () => (await listening()).length === 1 && (await relay()) !== first,
  );
  const second = await relay();
  await eventually('the customer is back', () => customer.alive());
  process.kill(second!, 'SIGSTOP');
  await eventually('a third one', async () => ![undefined, first, second].includes(await relay()));
  await eventually('its port', async () => (await listening()).length === 1);
  await customer.stop();
});

test('V16 a TCP port follows the set, and the relay ends with the last one', async () => {
  const customer = await byTcp(phone);
  // Lower than any before: until then the kernel reserves it for root.
  await want({ tcpPort: 80 });
  await eventually('the other port', async () => (await listening()).join() === '203.0.113.11:80');
  await eventually('the connection is closed', async () => !(await customer.alive()));
  await want({ tcpPort: undefined });
  await eventually('none', async () => (await listening()).length === 0);
  expect(await relay()).toBe(undefined);
  await customer.stop();
});
