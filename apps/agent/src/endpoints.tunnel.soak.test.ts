import { setTimeout as sleep } from 'node:timers/promises';
import { ADDRESSES } from '@fixpoint/sandbox/internet/namespaces.ts';
import { must } from '@fixpoint/sandbox/internet/run.ts';
import { watchSlowness } from '@fixpoint/testkit/slowness.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countUnmasked, pings, withoutUdp } from './testing/observe.ts';
import { best, eventually, openScene, type Scene } from './testing/scene.ts';
import { download, type Sold, sell } from './testing/subscriptions.ts';

/** Ways in and out that a tunnel must not have; each was once open. */
let scene: Scene;
let one: Sold;
let two: Sold;
const phone = { id: 'k_phone1', address: 2 };
const laptop = { id: 'k_laptop', address: 3 };
const tablet = { id: 'k_tablet', address: 2 };

beforeAll(async () => {
  scene = await openScene();
  [one, two] = await Promise.all([
    sell({ slot: 1, bindAddress: '203.0.113.11', keys: [phone, laptop] }),
    sell({ slot: 2, bindAddress: '203.0.113.12', tcpPort: 443, keys: [tablet] }),
  ]);
  scene.shop.want([one.desired, two.desired]);
  await scene.settled();
});
afterAll(() => scene?.end());

const connect = async (sold: Sold, key: { id: string }, options?: Parameters<Scene['connect']>[1]) =>
  scene.connect((await download(sold, key.id)).profile, options);

describe('FV1 of either family', () => {
  it('a computer with IPv6 disabled gets its tunnel with the line that its file offers', async () => {
    const { profile } = await download(one, phone.id);
    const customer = await scene.connect(profile.replace('#pull-filter', 'pull-filter'), {
      before: namespace =>
        must('ip', ['netns', 'exec', namespace, 'sysctl', '-qw', 'net.ipv6.conf.all.disable_ipv6=1']),
    });
    expect(await customer.seenAddress()).toBe('203.0.113.11');
    await customer.stop();
  });
});

describe('FV2 behind a tunnel', () => {
  it('nothing leaves with the address of a tunnel, not even packets without a connection', async () => {
    const set = (name: string, value: string) =>
      scene.onHost('sysctl', '-qw', `net.netfilter.nf_conntrack_${name}=${value}`);
    await set('tcp_loose', '0');
    await set('tcp_timeout_established', '1');
    const customer = await connect(one, phone);
    const left = await countUnmasked(scene);
    // The kernel forgets the connection while it is idle.
    const call = `exec 3<>/dev/tcp/${ADDRESSES.internet}/80; sleep 3; printf 'GET / HTTP/1.0\\r\\n\\r\\n' >&3; sleep 1`;
    await customer.exec(['bash', '-c', call]);
    expect(await left()).toBe(0);
    await set('tcp_loose', '1');
    await set('tcp_timeout_established', '7440');
    await customer.stop();
  });
});

describe('FV7 a path of 1400 bytes whose routers send no ICMP', () => {
  it('carries TCP in both directions', async () => {
    const customer = await connect(one, phone);
    const large = (side: 'iifname' | 'oifname') =>
      `${side} "${customer.device}" ip length > 1400 ip frag-off & 0x4000 != 0 drop`;
    await scene.onRouter(
      'nft',
      [
        'add table inet narrow',
        'add chain inet narrow way { type filter hook forward priority 0; }',
        `add rule inet narrow way ${large('iifname')}`,
        `add rule inet narrow way ${large('oifname')}`,
      ].join('\n'),
    );
    expect(await best(0.5, () => customer.download(1_000_000))).toBeGreaterThan(0.5);
    expect(await best(0.5, () => customer.upload(1_000_000))).toBeGreaterThan(0.5);
    // The path is as narrow as it should be.
    await expect.poll(() => pings(customer, ADDRESSES.internet, 1200)).toBe(true);
    expect(await pings(customer, ADDRESSES.internet, 1400)).toBe(false);
    await scene.onRouter('nft', 'delete', 'table', 'inet', 'narrow');
    await customer.stop();
  });
});

describe('FV9 the connection table', () => {
  const tracked = async (from: string) => {
    const lines = (await scene.onHost('cat', '/proc/net/nf_conntrack')).split('\n');
    return lines.filter(line => line.includes(' udp ') && line.includes(` src=${from} `)).length;
  };

  it('has no encrypted traffic, and cannot be filled by one device or by all of a subscription', async () => {
    const [customer, other] = [await connect(one, phone), await connect(one, laptop)];
    const together = async () => (await tracked('10.64.1.2')) + (await tracked('10.64.1.3'));
    // A busy machine drops many before the host sees them.
    await eventually('almost all that a device may have', async () => {
      await customer.openFlows(6000);
      return (await tracked('10.64.1.2')) > 3500;
    });
    await customer.openFlows(6000);
    expect(await tracked('10.64.1.2')).toBeLessThanOrEqual(4000);
    expect(await tracked(customer.address)).toBe(0);
    expect(await other.seenAddress()).toBe('203.0.113.11');
    const both = () => Promise.all([customer.openFlows(6000), other.openFlows(6000)]);
    await eventually('almost all that a subscription may have', async () => {
      await both();
      return (await together()) > 5000;
    });
    await both();
    expect(await together()).toBeLessThanOrEqual(6000);
    const neighbour = await connect(two, tablet);
    expect(await neighbour.seenAddress()).toBe('203.0.113.12');
    await Promise.all([customer.stop(), other.stop(), neighbour.stop()]);
  });
});

describe('FV3 a host whose firewall is removed by somebody', () => {
  const rules = () =>
    scene.onHost('nft', '-s', 'list', 'chain', 'inet', 'fixpoint', 'forward').catch(() => '');
  const flush = () => scene.onHost('nft', 'flush', 'ruleset');

  it('recreates it at once, and removes foreign rules', async () => {
    const customer = await connect(one, phone);
    const before = await rules();
    for (let n = 0; n < 3; n++) {
      const [begun, allowed] = [performance.now(), watchSlowness()];
      await flush();
      await eventually('the same rules', async () => (await rules()) === before);
      const took = performance.now() - begun;
      process.stdout.write(`firewall taken away: there again after ${took.toFixed(0)} ms\n`);
      expect(took).toBeLessThan(allowed(3000));
    }
    // Also while it is being recreated.
    for (let n = 0; n < 15; n++) {
      await flush();
      await sleep(n * 10);
    }
    await eventually('the same rules', async () => (await rules()) === before);
    await scene.onHost('nft', 'insert', 'rule', 'inet', 'fixpoint', 'forward', 'accept');
    await eventually('the same rules', async () => (await rules()) === before);
    // Also when only the expression of a rule differs.
    const [, comment, handle] = /(comment "[^"]+") # handle (\d+)/.exec(
      await scene.onHost('nft', '-a', 'list', 'chain', 'inet', 'fixpoint', 'forward'),
    )!;
    await scene.onHost('nft', `replace rule inet fixpoint forward handle ${handle} accept ${comment}`);
    await eventually('the same rules', async () => (await rules()) === before);
    // Also next to a foreign chain, or with a map of another version.
    await scene.onHost('nft', 'add chain inet fixpoint theirs { type filter hook forward priority 10; }');
    const table = () => scene.onHost('nft', 'list', 'table', 'inet', 'fixpoint').catch(() => '');
    await eventually(
      'none of theirs',
      async () => (await rules()) === before && !(await table()).includes('theirs'),
    );
    const older = ['delete table inet fixpoint', 'add table inet fixpoint'];
    await scene.onHost(
      'nft',
      [...older, 'add map inet fixpoint upprio { type ipv4_addr : mark; }'].join('; '),
    );
    await eventually('the same rules', async () => (await rules()) === before);
    // TCP retransmits lost packets ever later, so each attempt is a new connection.
    const seen = () => customer.seenAddress().catch(() => undefined);
    await eventually('its way out', async () => (await seen()) === '203.0.113.11');
    await customer.stop();
  });

  it('FV11 deletes tracked customers after a table of the operator made the kernel track connections', async () => {
    const { profile } = await download(two, tablet.id);
    const customer = await scene.connect(withoutUdp(profile));
    const taken = async () =>
      (await scene.onHost('conntrack', '--dump', '--proto', 'tcp')).includes(`=${customer.address} `);
    const theirs = 'add chain inet theirs in { type filter hook input priority 0; }';
    scene.region.signalAgent('SIGSTOP');
    await scene.onHost(
      'nft',
      `flush ruleset; add table inet theirs; ${theirs}; add rule inet theirs in ct state established accept`,
    );
    await eventually('the kernel has taken it up', async () => {
      await customer.ping(500);
      return taken();
    }).finally(() => scene.region.signalAgent('SIGCONT'));
    await eventually('it is forgotten', async () => !(await taken()));
    await eventually('all is well again', () => customer.alive());
    expect(await taken()).toBe(false);
    await scene.onHost('nft', 'delete table inet theirs');
    await customer.stop();
  });
});
