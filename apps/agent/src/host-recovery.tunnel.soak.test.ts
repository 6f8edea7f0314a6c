import { readFileSync, writeFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { ADDRESSES } from '@fixpoint/sandbox/internet/namespaces.ts';
import { describe, expect, it } from 'vitest';
import {
  agentRestarts,
  appliedAgain,
  counted,
  laptop,
  one,
  phone,
  scene,
  setFile,
  tablet,
  two,
  useRecoveryScene,
} from './testing/recovery-scene.ts';
import { eventually } from './testing/scene.ts';
import { download, type Sold, sell } from './testing/subscriptions.ts';

/** What continues and what recovers when the host or its network fails. */
useRecoveryScene();

describe('FV25 the machine’s own address is sold', () => {
  /** Whether the machine is reachable from outside in each of some attempts. */
  const hears = async (address: string, tries = 1): Promise<boolean> =>
    (
      await scene
        .onInternet('ping', '-q', '-i', '0.2', '-W', '1', '-c', String(tries), address)
        .catch(() => '')
    ).includes(' 0% packet loss');
  const isRefused = ({ desired: { id } }: Sold) => ({ id, state: 'failed', reason: 'ownAddress' });

  it('or its next router’s: neither starts, both are reported, the machine stays reachable, the others run', async () => {
    const [own, router] = await Promise.all([
      sell({ slot: 3, bindAddress: ADDRESSES.host, keys: [] }),
      sell({ slot: 4, bindAddress: ADDRESSES.routerToHost, keys: [] }),
    ]);
    expect(await hears(ADDRESSES.host)).toBe(true);
    const hearing = hears(ADDRESSES.host, 25);
    const revision = scene.shop.want([own.desired, one.desired, router.desired, two.desired]);
    const { subscriptions, ownAddresses } = await scene.shop.reported(r => r.revision === revision);
    expect(ownAddresses).toEqual([ADDRESSES.host, ADDRESSES.routerToHost]);
    expect(subscriptions).toEqual(expect.arrayContaining([isRefused(own), isRefused(router)]));
    expect(subscriptions.filter(({ state }) => state === 'up')).toHaveLength(2);
    const customer = await scene.connect((await download(one, phone.id)).profile);
    expect(await customer.seenAddress()).toBe('203.0.113.11');
    await customer.stop();
    expect(await hearing).toBe(true);
    scene.shop.want([one.desired, two.desired]);
    await scene.settled();
  });

  it('or becomes that: the machine is reachable again by itself, and the subscription is served afterwards', async () => {
    const { bindAddress } = two.desired;
    const route = ['ip', 'route', 'replace', 'default', 'via', ADDRESSES.routerToHost];
    const customer = await scene.connect((await download(one, phone.id)).profile);
    expect(await hears(bindAddress)).toBe(false);
    await scene.onHost(...route, 'src', bindAddress);
    await eventually('the machine hears', () => hears(bindAddress));
    await agentRestarts();
    const last = () => scene.shop.reports.at(-1)!.subscriptions;
    await eventually('it is refused', () => last().some(said => isDeepStrictEqual(said, isRefused(two))));
    expect(await hears(bindAddress)).toBe(true);
    expect(await customer.ping(10_000)).toBeDefined();
    await scene.onHost(...route);
    await eventually('it is served', () => last().every(({ state }) => state === 'up'));
    expect(await hears(bindAddress)).toBe(false);
    await (await scene.connect((await download(two, tablet.id)).profile)).stop();
    await customer.stop();
  });

  it('and a card without an address of its own has none: all its sold addresses are served', async () => {
    const route = ['ip', 'route', 'replace', 'default', 'via', ADDRESSES.routerToHost, 'dev', 'eth0'];
    const own = ['ip', 'address', 'add', `${ADDRESSES.host}/26`, 'dev', 'eth0'];
    const begunAgain = async () => {
      await agentRestarts();
      await eventually('both are served', () =>
        scene.shop.reports.at(-1)!.subscriptions.every(({ state }) => state === 'up'),
      );
    };
    await scene.onRouter('ip', 'route', 'replace', ADDRESSES.pool, 'dev', 'vpn');
    await scene.onHost('ip', 'address', 'flush', 'dev', 'eth0', 'to', ADDRESSES.host);
    await scene.onHost(...route, 'onlink');
    // The kernel's source address is now a customer's.
    const way = await scene.onHost('ip', 'route', 'get', ADDRESSES.internet);
    expect(way).toContain(`src ${one.desired.bindAddress}`);
    const bothAreSeen = async () => {
      const customers = await Promise.all([
        scene.connect((await download(one, phone.id)).profile),
        scene.connect((await download(two, tablet.id)).profile),
      ]);
      expect(await customers[0].seenAddress()).toBe(one.desired.bindAddress);
      expect(await customers[1].seenAddress()).toBe(two.desired.bindAddress);
      await Promise.all(customers.map(customer => customer.stop()));
    };
    await begunAgain();
    await bothAreSeen();
    expect(scene.shop.reports.at(-1)!.ownAddresses).toEqual([ADDRESSES.routerToHost]);
    await scene.onHost(...own);
    await scene.onHost(...route);
    await scene.onRouter('ip', 'route', 'replace', ADDRESSES.pool, 'via', ADDRESSES.host);
    await begunAgain();
    await bothAreSeen();
    expect(scene.shop.reports.at(-1)!.ownAddresses).toEqual([ADDRESSES.host, ADDRESSES.routerToHost]);
  });
});

describe('the host restarts', () => {
  it('and serves its customers from the saved set, without the shop', async () => {
    await scene.shop.away();
    const before = await scene.servers();
    const begun = performance.now();
    await scene.region.reboot();
    await eventually('both servers', async () => (await scene.servers()).length === 2);
    process.stdout.write(`host restarted: all up after ${(performance.now() - begun).toFixed(0)} ms\n`);
    expect((await scene.servers()).some(pid => before.includes(pid))).toBe(false);
    const [a, b] = await Promise.all([
      scene.connect((await download(one, phone.id)).profile),
      scene.connect((await download(two, tablet.id)).profile),
    ]);
    expect(await a.seenAddress()).toBe('203.0.113.11');
    expect(await b.seenAddress()).toBe('203.0.113.12');
    // Counters restarted at zero; the totals did not.
    const sofar = (await counted(phone.id)).down;
    await a.download(1_000_000);
    await eventually('more bytes', async () => (await counted(phone.id)).down > sofar + 900_000);
    expect((await counted(phone.id)).down).toBeLessThan(sofar + 1_500_000);
    await Promise.all([a.stop(), b.stop()]);
    await scene.shop.back();
  });

  it('S79 with the disk of yesterday, and what has ended since does not return for one moment', async () => {
    const { profile } = await download(one, laptop.id);
    one.desired = { ...one.desired, keys: [phone, laptop] };
    scene.shop.want([one.desired, two.desired]);
    await scene.settled();
    const yesterday = readFileSync(setFile());
    one.desired = { ...one.desired, keys: [phone] };
    scene.shop.want([one.desired]);
    await scene.settled();
    const restarted = async () => {
      await scene.region.killAgent();
      writeFileSync(setFile(), yesterday);
      // As if it had died while writing.
      writeFileSync(`${setFile()}.draft`, yesterday.subarray(0, 1000));
      const lines = scene.agentLines.length;
      await scene.region.reboot();
      await appliedAgain(lines);
      const said = scene.agentLines.slice(lines);
      const first = said.findIndex(line => line.includes('"applied"'));
      // On a busy machine the shop may answer too late; then the host knows nothing newer.
      if (said.slice(0, first).some(line => line.includes('"askFailed"'))) return restarted();
      return JSON.parse(said[first]!);
    };
    expect(await restarted()).toMatchObject({ revision: scene.shop.revision(), subscriptions: 1 });
    expect(await scene.refused(profile)).toContain('AUTH_FAILED');
    const pid = await scene.serverOf(1);
    process.kill(pid, 'SIGKILL');
    await eventually('a new process', async () => ![0, pid].includes((await scene.servers())[0] ?? 0));
    expect(await scene.refused(profile)).toContain('AUTH_FAILED');
    await expect.poll(scene.servers).toHaveLength(1);
    scene.shop.want([one.desired, two.desired]);
    await scene.settled();
  });
});

describe('the default route moves to another card', () => {
  it('and the host follows, without ending a tunnel', async () => {
    const way = (await scene.onHost('ip', 'route', 'show', 'default')).trim().split(/\s+/);
    const sold = async (card: string) =>
      (await scene.onHost('ip', '-br', 'addr', 'show', card)).includes('203.0.113.12/32');
    const goesOver = (from: string, to: string) =>
      eventually(`it is at ${to}`, async () => (await sold(to)) && !(await sold(from)));
    await scene.onHost('ip', 'link', 'add', 'eth1', 'type', 'veth', 'peer', 'name', 'far1');
    await scene.onHost('ip', 'link', 'set', 'eth1', 'up');
    // The refused client called the other server, which restarts after it has left.
    const server = await scene.serverOf(2);
    await scene.onHost('ip', 'route', 'replace', 'default', 'dev', 'eth1');
    await goesOver('eth0', 'eth1');
    await scene.onHost('ip', 'route', 'replace', ...way);
    await goesOver('eth1', 'eth0');
    await scene.onHost('ip', 'link', 'del', 'eth1');
    expect(await scene.serverOf(2)).toBe(server);
    const customer = await scene.connect((await download(two, tablet.id)).profile);
    expect(await customer.seenAddress()).toBe('203.0.113.12');
    await customer.stop();
  });
});
