import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildCustomer } from '@fixpoint/sandbox/internet/namespaces.ts';
import { must } from '@fixpoint/sandbox/internet/run.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bootMachine, type Machine } from './testing/machine.ts';
import { eventually, openScene, type Scene } from './testing/scene.ts';
import { download, sell } from './testing/subscriptions.ts';

/**
 * Where a Linux computer resolves names with its file and no other configuration: Debian with
 * systemd, with each of Debian's resolver packages or none. Queries outside the tunnel to its
 * network's resolver are counted.
 */
const key = { id: 'k_laptop', address: 2 };
/** The resolver of the computer's own network. */
const LAN = '198.51.100.1';
let scene: Scene;
let computer: Machine;
let device: string;
let profile: string;

beforeAll(async () => {
  scene = await openScene();
  const sold = await sell({ slot: 1, bindAddress: '203.0.113.11', tcpPort: 443, keys: [key] });
  scene.shop.want([sold.desired]);
  await scene.settled();
  ({ profile } = await download(sold, key.id, 'linux'));
  const customer = await buildCustomer(scene.region.id);
  ({ device } = customer);
  computer = await bootMachine(customer.namespace, join(scene.dataDir, 'disk'));
});
afterAll(async () => {
  await computer?.off();
  await scene?.end();
});

const LIST = '/etc/resolv.conf';
const list = () => computer.run('cat', LIST);
const ask = (name: string) => computer.run('sh', '-c', `getent ahosts ${name}.example || :`);
const install = async (name: string) => {
  await must('sh', ['-c', `cd ${scene.dataDir} && apt-get download -q ${name}`]);
  await computer.run('sh', '-c', 'rm -f /var/tmp/*.deb');
  await must('sh', ['-c', `cp ${scene.dataDir}/${name}_*.deb ${computer.root}/var/tmp/`]);
  await computer.run('sh', '-c', 'DEBIAN_FRONTEND=noninteractive dpkg --force-depends -i /var/tmp/*.deb');
};

/** How a computer comes to know its network's resolver. */
const kinds = {
  /** Debian 12 as installed. */
  async 'the plain list of resolvers'() {
    await computer.run('sh', '-c', `rm -f ${LIST}; echo nameserver ${LAN} > ${LIST}`);
  },
  async resolvconf() {
    await install('resolvconf');
    await computer.run('systemctl', 'restart', 'resolvconf');
    await computer.run('sh', '-c', `echo nameserver ${LAN} | resolvconf -a eth0.inet`);
  },
  async 'systemd-resolved'() {
    const own = '/run/systemd/system/systemd-resolved.service.d';
    // A machine in a namespace has no devices, so this filter is not needed.
    await computer.run(
      'sh',
      '-c',
      `mkdir -p ${own}; printf '[Service]\\nPrivateDevices=no\\n' > ${own}/here.conf`,
    );
    await install('systemd-resolved');
    await computer.run('systemctl', 'restart', 'systemd-resolved');
    await computer.run('resolvectl', 'dns', 'eth0', LAN);
  },
};

const beside = () =>
  scene.countAtRouter(`iifname "${device}" meta l4proto { tcp, udp } th dport 53 counter name n`);
const through = () =>
  scene.countAtRouter(
    'iifname "vpn" ip saddr 203.0.113.11 meta l4proto { tcp, udp } th dport 53 counter name n',
  );

/** What Debian's openvpn-client@ may do: it mounts nothing. */
const AS_SERVICE = [
  'PrivateTmp=true',
  `CapabilityBoundingSet=${['IPC_LOCK', 'NET_ADMIN', 'NET_RAW', 'SETGID', 'SETUID', 'SETPCAP', 'SYS_CHROOT', 'DAC_OVERRIDE'].map(cap => `CAP_${cap}`).join(' ')}`,
  'ProtectSystem=true',
  'ProtectHome=true',
].map(property => `--property=${property}`);

const said = () => computer.run('cat', '/run/said').catch(() => '');
async function start(properties: readonly string[] = []): Promise<void> {
  writeFileSync(join(computer.root, 'run/laptop.ovpn'), profile);
  await computer.run('rm', '-f', '/run/said');
  // Its log takes what the scripts print, too.
  const openvpn = ['sh', '-c', 'exec openvpn --config /run/laptop.ovpn >/run/said 2>&1'];
  await computer.run('systemd-run', '--quiet', '--collect', '--unit=vpn', ...properties, ...openvpn);
}
async function connect(properties: readonly string[] = []): Promise<void> {
  await start(properties);
  await eventually(
    'a tunnel',
    async () => (await said()).includes('Initialization Sequence Completed'),
    20_000,
  ).catch(async (error: Error) => {
    throw new Error(`${error.message}\n${await said()}`);
  });
}
const disconnect = () => computer.run('systemctl', 'stop', 'vpn');

/** Expects that names are resolved through the tunnel, and none outside it. */
async function expectInside(name: string): Promise<void> {
  const [asked, leaked] = await Promise.all([through(), beside()]);
  await ask(name);
  expect({ asked: (await asked()) > 0, leaked: await leaked() }).toEqual({ asked: true, leaked: 0 });
}
async function expectOutside(name: string): Promise<void> {
  const leaked = await beside();
  await ask(name);
  expect(await leaked()).toBeGreaterThan(0);
}

// The last kind must come last: it replaces the list by a link.
it.each(Object.keys(kinds) as (keyof typeof kinds)[])(
  'FV17 V24 V39 a Linux computer with %s resolves through the tunnel, and in its own network again afterwards',
  async kind => {
    await kinds[kind]();
    const before = await list();
    await expectOutside('before');
    await connect();
    await expectInside('inside');
    await disconnect();
    expect(await list()).toBe(before);
    await expectOutside('after');
    if (kind === 'systemd-resolved') {
      await connect(AS_SERVICE);
      await expectInside('service');
    } else {
      await start(AS_SERVICE);
      await eventually('it says what to do', async () =>
        (await said()).includes('apt install systemd-resolved, or use NetworkManager'),
      );
      await eventually('it has ended', async () => !(await computer.run('pgrep', 'openvpn').catch(() => '')));
    }
    await disconnect().catch(() => undefined);
    expect(await list()).toBe(before);
  },
);

it('FV17 the next openvpn repairs what a killed one has left', async () => {
  const before = await list();
  await connect();
  await computer.run('systemctl', 'kill', '--signal=KILL', 'vpn');
  await eventually('it is gone', async () => !(await computer.run('pgrep', 'openvpn').catch(() => '')));
  await connect();
  await expectInside('again');
  await disconnect();
  expect(await list()).toBe(before);
  await expectOutside('at-last');
});
