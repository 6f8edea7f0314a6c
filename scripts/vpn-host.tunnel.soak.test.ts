import { type ChildProcess, execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { bootMachine, type Machine } from '@fixpoint/agent/testing/machine.ts';
import { type NoLogsPage, noLogsReport } from '@fixpoint/contract/no-logs.ts';
import { basicEnv, root } from '@fixpoint/dev-stack/env.ts';
import { type Stack, startStack } from '@fixpoint/dev-stack/stack.ts';
import { type Customer, connectCustomer } from '@fixpoint/sandbox/internet/customer.ts';
import {
  ADDRESSES,
  buildCustomer,
  buildHost,
  buildInternet,
  namespaceOf,
  removeRegion,
  spawnIn,
} from '@fixpoint/sandbox/internet/namespaces.ts';
import { must, run } from '@fixpoint/sandbox/internet/run.ts';
import { beginOrder, logInByEmail, until } from '@fixpoint/testkit/buyer.ts';
import { createClient, type TestClient } from '@fixpoint/testkit/client.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { orderAgain } from '../apps/api/test/subscription/renewing.ts';
import { advanceClock } from '../e2e/advance-clock.ts';
import { packageAgent } from './agent-package.ts';

/**
 * Follows "A VPN host of your own" of README.md: reads its commands, runs a real shop, and installs the built package on
 * a Debian machine with systemd in a network namespace.
 */
const readme = await readFile(join(root, 'README.md'), 'utf8');
const section = readme.split('\n## ').find(text => text.startsWith('A VPN host of your own\n'))!;
/** Commands of the section with one of these beginnings, in order. */
const commands = (...beginnings: string[]) =>
  Array.from(section.matchAll(/^ {3}(\S.*)$/gm), ([, line = '']) => line).filter(line =>
    beginnings.some(beginning => line.startsWith(beginning)),
  );

const [add = '', ...asked] = commands('npm run shop -- host ');
const url = new URL(/AGENT_SHOP=(\S+)/.exec(section)![1]!);

/** Address that only the canary contacts. */
const QUIET = '192.0.2.30';

/** The region of this process. @see openScene */
const regionId = `t${process.pid.toString(36)}`;
const here = namespaceOf(regionId, 'vpn');
let folder: string;
let stack: Stack;
let host: Machine;
let packageFile: string;
let proxy: ChildProcess;
let bought: { client: TestClient; subscriptionId: string; address: string; profile: string };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fixpoint-host-'));
  [stack, packageFile] = await Promise.all([
    startStack({ dataDir: join(folder, 'shop'), durable: false, env: { HUMAN_CHECK_COST: '1' } }),
    packageAgent(join(folder, 'package')),
    buildInternet(regionId).then(() => buildHost(regionId)),
  ]);
  [host, proxy] = await Promise.all([bootMachine(here, join(folder, 'disk')), openWww().then(openProxy)]);
});
afterAll(async () => {
  await host?.off();
  await removeRegion(regionId);
  await stack?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Runs a command of the README on the shop. */
const shop = (command: string): Promise<string> => shopSays(...command.split(' ').slice(4));

async function shopSays(...args: string[]): Promise<string> {
  const env = { ...basicEnv(), DATA_DIR: join(folder, 'shop'), PORT: new URL(stack.url).port };
  const { stdout } = await promisify(execFile)(process.execPath, [join(root, 'scripts/shop.ts'), ...args], {
    env,
  });
  return stdout.trim();
}

/** Starts the internet server that echoes the client's address. */
async function openWww(): Promise<void> {
  const echo = fileURLToPath(import.meta.resolve('@fixpoint/sandbox/internet/echo.ts'));
  const command = [process.execPath, echo, ADDRESSES.internet];
  const child = spawnIn(namespaceOf(regionId, 'www'), command, {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  await new Promise(resolve => child.once('message', resolve));
}

/** Starts a proxy to the shop under the host name of the README. */
async function openProxy(): Promise<ChildProcess> {
  const program = fileURLToPath(import.meta.resolve('@fixpoint/agent/testing/endpoint.ts'));
  const command = [process.execPath, program, ADDRESSES.internet, url.port, join(folder, 'shop/agent.sock')];
  const child = spawnIn(namespaceOf(regionId, 'www'), command, {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  await new Promise(resolve => child.once('message', resolve));
  return child;
}

/** Sets up what an operator has: host names, the route for the address range, the package on the host. */
async function surroundings(): Promise<void> {
  await writeFile(join(host.root, 'etc/hosts'), `${ADDRESSES.internet} ${url.hostname}\n`);
  const pool = /--pool (\S+)/.exec(add)![1]!;
  await must('ip', ['-n', namespaceOf(regionId, 'net'), 'route', 'add', pool, 'via', ADDRESSES.host]);
  await copyFile(packageFile, join(host.root, 'root', basename(packageFile)));
  const override = join(host.root, 'run/systemd/system/fixpoint-agent.service.d');
  await mkdir(override, { recursive: true });
  // The agent notifies the watchdog every ten seconds; the limit allows for a busy machine.
  await writeFile(join(override, 'watchdog.conf'), '[Service]\nWatchdogSec=30\n');
}

const place = () => ({ url: stack.url, sandboxUrl: stack.sandbox!.url });

/** Buys a first subscription and downloads the file of its first key. */
async function buy(): Promise<typeof bought> {
  const visitor = createClient(stack.url);
  const { consent, metadata } = await beginOrder(visitor);
  const email = 'first@example.com';
  await visitor.order.purchase({ body: { ...consent, email, language: 'en' } });
  await visitor.order.confirmPurchase({ body: { metadata, card: 'pm_card_visa' } });
  const { client } = await logInByEmail(place(), email);
  const { id: subscriptionId, address } = await until(async () => {
    const [item] = (await client.subscription.mySubscription({ body: {} })).data!.items;
    return item?.status === 'active' && item;
  }, 'an active subscription');
  const key = (await client.subscription.addKey({ body: { subscriptionId, name: 'laptop' } })).data!;
  const file = await client.subscription.downloadKey({ body: { subscriptionId, keyId: key.id } });
  return { client, subscriptionId, address: address!, profile: file.data!.profile };
}

/** Connects with the downloaded file and checks the source address. */
async function connect(): Promise<Customer> {
  const customer = await connectCustomer({
    region: { id: regionId },
    profile: bought.profile,
    timeoutMs: 60_000,
  });
  expect(await customer.seenAddress()).toBe(bought.address);
  return customer;
}

const applied = () =>
  until(async () => !/not applied/.test(await shop(asked[1]!)), 'the host has applied all changes');

test('FV13 the README leads to a working host with nothing but the built package', async () => {
  expect(commands('npm run build-agent')).toHaveLength(1);
  // Each build has a version of its own.
  expect(section).toContain(basename(packageFile).replace(/_.+_/, '_*_'));
  const token = (await shop(add)).split('\n').at(-1)!;
  await surroundings();
  for (const line of commands('apt-get ', 'echo ', 'systemctl '))
    await host.run('sh', '-c', `cd /root && ${line.replace('TOKEN_OF_STEP_2', token)}`);
  await until(async () => /^bkk-1 +up /m.test(await shop(asked[0]!)), 'the host has enrolled');
  for (const line of asked) expect(await shop(line)).toContain('bkk-1');

  bought = await buy();
  await applied();
  // The delivery check ran and found no fault.
  expect(await shop('npm run shop -- alerts')).not.toContain('delivery.');
  const customer = await connect();
  // The agent only makes outgoing connections (S78): only the tunnels' TCP ports listen.
  const listening = (await host.run('ss', '-Hltn')).trim().split(/\s+/);
  expect(listening[3]).toBe(`${bought.address}:443`);
  expect(listening).toHaveLength(5);

  // Systemd restarts a hanging agent; the tunnel is not affected.
  const agent = async () =>
    Number(await host.run('systemctl', 'show', '--property=MainPID', '--value', 'fixpoint-agent'));
  // Without a process MainPID is 0, and a signal to 0 would stop this test too.
  const before = await until(agent, 'an agent');
  await host.run('kill', '-STOP', String(before));
  await until(async () => (await agent()) > before, 'FV8 a new agent', 120_000);
  expect(await customer.ping(30_000)).toBeDefined();
  await customer.stop();
});

test('tunnels survive jumps of the shop clock; an expired subscription is refused, and a reactivated one has the same file and address', async () => {
  const { client, subscriptionId: id } = bought;
  const pass = (days: number) =>
    advanceClock({ url: stack.url, controlToken: stack.sandbox!.token }, days * 24 * 60 * 60_000);
  const state = async () => (await client.subscription.getSubscription({ query: { id } })).data!.status;
  const before = await connect();
  await pass(40);
  expect(await state()).toBe('active');
  expect(await before.ping(30_000)).toBeDefined();
  expect((await client.subscription.cancelSubscription({ body: { id } })).code).toBe('0000');
  await pass(40);
  expect(await state()).toBe('expired');
  await until(async () => !(await before.alive()), 'the end of its tunnel');
  await before.stop();
  const again = connectCustomer({ region: { id: regionId }, profile: bought.profile, timeoutMs: 5_000 });
  await expect(again).rejects.toThrow();
  const body = await orderAgain(client, id);
  await client.order.purchaseReactivate({ body });
  await client.order.confirmPurchase({ body: { metadata: body.metadata, card: 'pm_card_visa' } });
  await until(async () => (await state()) === 'active', 'it is active again');
  await (await connect()).stop();
  // No alert for a silent host or for drift stays open; a busy machine may take a moment to resolve one.
  const said = await host.run('journalctl', '--no-pager', '--unit=fixpoint-agent');
  const alerts = () => shop('npm run shop -- alerts');
  await expect.poll(alerts, { message: said }).not.toMatch(/host\.|delivery\./);
});

test('S78 the systemd unit drops privileges that the agent does not need', async () => {
  expect(await host.run('systemd-analyze', 'security', '--threshold=36', 'fixpoint-agent')).toContain(
    'NoNewPrivileges',
  );
});

test('FV23 the disk has no key of a server, and the host restarts its tunnels from it without the shop', async () => {
  const disk = join(folder, 'disk/upper');
  expect((await run('grep', ['-rl', '-e', 'PRIVATE KEY-', '-e', 'Static key', join(disk, 'var')])).out).toBe(
    '',
  );
  const known = await readdir(join(disk, 'var/lib/fixpoint-agent'));
  for (const file of ['identity.json', 'desired.json']) expect(known).toContain(file);
  proxy.kill('SIGKILL');
  await host.off();
  host = await bootMachine(here, join(folder, 'disk'));
  await until(async () => /fpt1/.test(await host.run('ip', '-br', 'link')), 'a tunnel');
  await (await connect()).stop();
  proxy = await openProxy();
});

/** Each of these takes as long as the rest of the file. */
const long = {
  async 'S81 FV11 one command sends a canary and searches machine and shop for its traces'() {
    const file = join(folder, 'canary.ovpn');
    await writeFile(file, bought.profile);
    const www = namespaceOf(regionId, 'www');
    await must('ip', ['-n', www, 'addr', 'add', `${QUIET}/26`, 'dev', 'eth0']);
    const opened = fileURLToPath(import.meta.resolve('@fixpoint/agent/testing/open-endpoint.ts'));
    spawnIn(www, [process.execPath, opened, 'www', '8080'], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const { namespace } = await buildCustomer(regionId);
    const prove = (...args: string[]) => shopSays('prove-no-logs', '--host', 'bkk-1', ...args);
    const ways = ['--at', host.way, '--canary', `ip netns exec ${namespace}`];
    const said = await prove(...ways, '--file', file, '--server', `${QUIET}:8080`);
    expect(said).toContain('Published: /no-logs.json');
    // The page is cached for some seconds.
    const [published] = await until(async () => {
      const { reports } = (await (await fetch(`${stack.url}/no-logs.json`)).json()) as NoLogsPage;
      return reports.length > 0 && reports;
    }, 'the report');
    const report = noLogsReport.parse(JSON.parse(published!.report));
    process.stdout.write(
      `searched: ${report.files} files, ${report.fileBytes} bytes, ${report.processes} processes\n`,
    );
    // The search covers every process and file of the machine.
    expect(report.files).toBeGreaterThan(5000);
    expect(report.processes).toBeGreaterThanOrEqual(5);
    expect(report.shop.databaseBytes).toBeGreaterThan(2e7);
  },

  async 'FV23 a host without a disk enrols at every boot with its sealed token'() {
    const page = await readFile(join(root, 'docs/operate/hosts.md'), 'utf8');
    const part = page.split('\n## ').find(text => text.startsWith('A host without a disk\n'))!;
    const [inShop = '', onHost = ''] = Array.from(
      part.matchAll(/```sh\n([\s\S]*?)```/g),
      ([, text = '']) => text,
    );
    const token = (await shopSays(...inShop.trim().split(' ').slice(1))).split('\n').at(-1)!;
    await host.run('sh', '-c', onHost.replace('TOKEN', token));
    await host.run('rm', '-r', '/var/lib/fixpoint-agent');
    for (let boots = 0; boots < 2; boots++) {
      await host.off();
      host = await bootMachine(here, join(folder, 'disk'));
      await until(async () => /fpt1/.test(await host.run('ip', '-br', 'link')), 'a tunnel');
      await applied();
      await (await connect()).stop();
    }
    expect(await readdir(join(folder, 'disk/upper/var/lib/fixpoint-agent'))).toEqual([]);
    expect((await run('grep', ['-rle', token.split('.')[1]!, join(folder, 'disk/upper')])).out).toBe('');
  },
};
test.each(Object.keys(long) as (keyof typeof long)[])('%s', name => long[name]());

test('K14 removing the package leaves nothing in the kernel, so that another host may serve its addresses', async () => {
  const all = async () => [
    await host.run('ip', '-o', 'address'),
    await host.run('ip', '-o', 'link'),
    await host.run('ip', '-4', 'rule'),
    await host.run('ip', '-6', 'rule'),
    await host.run('tc', 'qdisc', 'show'),
    await host.run('nft', 'list', 'tables'),
  ];
  const own = [`${bought.address}/32 metric 6464`, 'fpt1', '64:\t', 'htb 1: ', 'table inet fixpoint'];
  for (const part of own) expect((await all()).join()).toContain(part);
  await host.run('apt-get', 'remove', '--yes', 'fixpoint-agent');
  for (const part of own) expect((await all()).join()).not.toContain(part);
  expect(await host.run('sh', '-c', 'cat /proc/[0-9]*/comm || :')).not.toContain('openvpn');
});
