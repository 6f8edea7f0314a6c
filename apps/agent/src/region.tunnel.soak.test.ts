import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { regionOf } from '@fixpoint/sandbox/internet/env.ts';
import { namespaces, processesIn, removeNamespace, spawnIn } from '@fixpoint/sandbox/internet/namespaces.ts';
import { CHILD_ENV, ended, must, run } from '@fixpoint/sandbox/internet/run.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { regionOfProcess, removeAbandoned } from './testing/abandoned.ts';
import { type FakeShop, startFakeShop } from './testing/fake-shop.ts';
import { download, sell } from './testing/subscriptions.ts';

/** The demo region as the process that `npm start` runs, and the command that connects to it. */
const regionFile = fileURLToPath(import.meta.resolve('@fixpoint/sandbox/internet/main.ts'));
const dataDir = mkdtempSync(join(tmpdir(), 'fixpoint region '));
const agentSocket = join(dataDir, 'shop.sock');
/** The data folder of a start, whose region is the first. */
const shopDir = join(dataDir, 'shop');
const ids = [regionOf(shopDir), `rb${(process.pid % 4096).toString(16)}`];
const demoFile = fileURLToPath(new URL('../../../scripts/demo.ts', import.meta.url));
const connect = (...args: string[]) =>
  run('env', [`DATA_DIR=${shopDir}`, process.execPath, demoFile, ...args]);
const children: ChildProcess[] = [];
let shop: FakeShop;

type Started = { child: ChildProcess; answer: { ready: boolean; reason?: string; internet?: string } };

async function startRegionProcess(
  id: string,
  options: { nobody?: boolean; token?: string } = {},
): Promise<Started> {
  // Another user who may read everything: the checkout can be below a folder that only root enters.
  const asNobody = [
    'setpriv',
    '--reuid=65534',
    '--clear-groups',
    '--inh-caps=+dac_read_search',
    '--ambient-caps=+dac_read_search',
  ];
  const [program, ...args] = [...(options.nobody ? asNobody : []), process.execPath, regionFile];
  const child = spawn(program!, args, {
    stdio: ['ignore', 'pipe', 'ignore', 'ipc'],
    env: {
      ...CHILD_ENV,
      DEMO_ID: id,
      DATA_DIR: join(dataDir, id),
      AGENT_SOCKET: agentSocket,
      AGENT_TOKEN: options.token ?? '',
    },
  });
  children.push(child);
  const [line] = await new Promise<string[]>((resolve, reject) => {
    createInterface({ input: child.stdout! }).once('line', text => resolve([text]));
    child.once('error', reject);
    child.once('exit', code => reject(new Error(`the region ended with ${code}`)));
  });
  return { child, answer: JSON.parse(line!) };
}

const ours = async () => (await namespaces()).filter(name => ids.some(id => name.startsWith(`fp-${id}-`)));

/** All network state of the machine that a region could have changed. */
const machine = async () => ({
  links: await must('ip', ['-br', 'link']),
  addresses: await must('ip', ['-br', 'addr']),
  routes: await must('ip', ['route']),
  rules: (await run('nft', ['list', 'tables'])).out,
  forwarding: await must('cat', ['/proc/sys/net/ipv4/ip_forward', '/proc/sys/net/ipv4/conf/all/rp_filter']),
});

beforeAll(async () => {
  shop = await startFakeShop({ listen: { path: agentSocket } });
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  for (const name of await ours()) await run('ip', ['netns', 'del', name]);
  await shop.away();
  rmSync(dataDir, { recursive: true, force: true });
});

describe('the demo region', () => {
  it('FV22 leaves the machine untouched, serves the connect command, and is removed without a trace', async () => {
    const before = await machine();
    const [first, second] = await Promise.all([
      startRegionProcess(ids[0]!, { token: shop.token }),
      startRegionProcess(ids[1]!),
    ]);
    expect(first!.answer).toMatchObject({ ready: true, internet: 'http://192.0.2.10/' });
    expect(second!.answer.ready).toBe(true);
    expect(await machine()).toEqual(before);

    const sold = await sell({ slot: 1, bindAddress: '203.0.113.20', keys: [{ id: 'k_phone1', address: 2 }] });
    shop.want([sold.desired]);
    await shop.reported(report => report.subscriptions.some(({ state }) => state === 'up'));
    const file = join(dataDir, 'my phone.ovpn');
    writeFileSync(file, (await download(sold, 'k_phone1')).profile);
    // Two regions run, and the command finds its own.
    const connected = await connect('connect', file, '--once');
    expect(connected.code).toBe(0);
    expect(connected.out).toContain("this customer's own address is 198.51.100.");
    expect(connected.out).toContain('the internet sees 203.0.113.20\n');
    expect((await ours()).filter(name => /-c\d+$/.test(name))).toEqual([]);

    first!.child.kill('SIGTERM');
    second!.child.disconnect();
    await Promise.all([ended(first!.child), ended(second!.child)]);
    expect([first!.child.exitCode, second!.child.exitCode]).toEqual([0, 0]);
    expect(await ours()).toEqual([]);
    expect(await machine()).toEqual(before);
  });

  it('removes leftovers of a killed run with the same id', async () => {
    const first = await startRegionProcess(ids[0]!);
    first.child.kill('SIGKILL');
    await ended(first.child);
    expect((await ours()).filter(name => name.startsWith(`fp-${ids[0]}-`))).toHaveLength(3);
    const second = await startRegionProcess(ids[0]!);
    expect(second.answer.ready).toBe(true);
    second.child.kill('SIGTERM');
    await ended(second.child);
    expect((await ours()).filter(name => name.startsWith(`fp-${ids[0]}-`))).toEqual([]);
  });

  it('of a killed test is removed by the next one, whatever part is left; one in use stays', async () => {
    const dead = regionOfProcess(spawnSync('true').pid);
    const alive = regionOfProcess(process.pid);
    const [served, half] = [regionOfProcess(spawnSync('true').pid), [`fp-${dead}-vpn`, `fp-${dead}-c11`]];
    const used = [`fp-${alive}-vpn`, `fp-${served}-www`];
    for (const name of [...half, ...used]) await must('ip', ['netns', 'add', name]);
    try {
      const server = spawnIn(`fp-${served}-www`, ['sleep', '60'], { stdio: 'ignore' });
      children.push(server);
      await expect.poll(() => processesIn(`fp-${served}-www`)).not.toEqual([]);
      await removeAbandoned();
      const left = await namespaces();
      expect(left).toEqual(expect.arrayContaining(used));
      expect(left.filter(name => half.includes(name))).toEqual([]);
    } finally {
      for (const name of [...half, ...used]) await removeNamespace(name);
    }
  });

  it('explains why it cannot run, and exits cleanly', async () => {
    const { child, answer } = await startRegionProcess(ids[0]!, { nobody: true });
    expect(answer).toEqual({ ready: false, reason: 'needs root' });
    await ended(child);
    expect(child.exitCode).toBe(0);
  });
});

describe('the connect command', () => {
  it('reports a problem in one line', async () => {
    expect(await connect('connect')).toMatchObject({ code: 1, out: expect.stringContaining('usage:') });
    const absent = await connect('connect', '/nowhere.ovpn', '--id', 'absent');
    expect(absent).toEqual({ code: 1, out: 'no demo region "absent" runs here\n' });
  });
});
