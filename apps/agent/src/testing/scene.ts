import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Customer, connectCustomer, startProbe } from '@fixpoint/sandbox/internet/customer.ts';
import { namespaceOf, type Role, spawnIn } from '@fixpoint/sandbox/internet/namespaces.ts';
import { type Region, startRegion, whyNot } from '@fixpoint/sandbox/internet/region.ts';
import { must } from '@fixpoint/sandbox/internet/run.ts';
import { tunnelDevice } from '../layout.ts';
import { regionOfProcess, removeAbandoned } from './abandoned.ts';
import { type FakeShop, startFakeShop } from './fake-shop.ts';

type ConnectOptions = Pick<Parameters<typeof connectCustomer>[0], 'timeoutMs' | 'before'>;

/** A shop, a region with a real agent, and the test's customers; all of it is removed by `end`. */
export type Scene = {
  dataDir: string;
  shop: FakeShop;
  region: Region;
  /** All output lines of the agent. */
  agentLines: string[];
  connect(profile: string, options?: ConnectOptions): Promise<Customer>;
  /**
   * Waits until a profile is refused: explicitly, or by timeout. @returns openvpn's output, for the
   * reason
   */
  refused(profile: string, timeoutMs?: number): Promise<string>;
  /** Runs a command on the VPN host, on the central router, or on the internet's server. */
  onHost(...command: string[]): Promise<string>;
  onRouter(...command: string[]): Promise<string>;
  onInternet(...command: string[]): Promise<string>;
  /** Starts a probe in the namespace of a role. */
  probeAt(role: Role): Promise<ReturnType<typeof startProbe>['ask']>;
  /** Accepts TCP connections on all addresses of a role's namespace. */
  listen(role: Role, ...ports: number[]): Promise<void>;
  /** Counts matching packets that arrive at the router. @returns the number so far */
  countAtRouter(...fits: string[]): Promise<() => Promise<number>>;
  /** Resolves when the host has applied the shop's newest revision and all its tunnels are up. */
  settled(): Promise<void>;
  /** Bytes that the kernel has counted on the device of a slot, from its customers' view. */
  deviceBytes(slot: number): Promise<{ down: number; up: number }>;
  /** Process ids of openvpn on the VPN host. */
  servers(): Promise<number[]>;
  /** Process id of the openvpn that serves a slot. */
  serverOf(slot: number): Promise<number>;
  end(): Promise<void>;
};

/** Time in which a process restarts after its last customer. */
const RESTART_MS = 10_000;

const listenerFile = fileURLToPath(new URL('./listener.ts', import.meta.url));

const ID = regionOfProcess(process.pid);

/**
 * @param agentEnv unusual settings of the agent
 * @throws Error when this machine cannot run tunnels: a skipped test would look like a passed one
 */
export async function openScene(agentEnv: Record<string, string> = {}): Promise<Scene> {
  const reason = await whyNot();
  if (reason) throw new Error(`tunnel tests: this machine ${reason}`);
  await removeAbandoned();
  const dataDir = mkdtempSync(join(tmpdir(), 'fixpoint-'));
  const agentSocket = join(dataDir, 'shop.sock');
  const shop = await startFakeShop({ listen: { path: agentSocket } });
  const agentLines: string[] = [];
  const region = await startRegion({
    id: ID,
    dataDir,
    agentSocket,
    agentToken: shop.token,
    agentEnv,
    onAgentLine: line => agentLines.push(line),
  });
  const customers: Customer[] = [];
  const at = (role: Role) => namespaceOf(ID, role);
  const runAt =
    (role: Role) =>
    (...command: string[]) =>
      must('ip', ['netns', 'exec', at(role), ...command]);
  const onHost = runAt('vpn');
  const onRouter = runAt('net');
  let counters = 0;

  async function connect(profile: string, options: ConnectOptions = {}): Promise<Customer> {
    const customer = await connectCustomer({ region, profile, timeoutMs: 60_000, ...options });
    customers.push(customer);
    return customer;
  }

  async function servers(): Promise<number[]> {
    const pids = (await must('ip', ['netns', 'pids', region.hostNamespace])).split('\n').filter(Boolean);
    const names = await Promise.all(pids.map(pid => must('cat', [`/proc/${pid}/comm`]).catch(() => '')));
    return pids.filter((_, n) => names[n]!.trim() === 'openvpn').map(Number);
  }

  return {
    dataDir,
    shop,
    region,
    agentLines,
    connect,
    onHost,
    onRouter,
    onInternet: runAt('www'),
    async probeAt(role) {
      const { ask, ready } = startProbe(at(role));
      await ready;
      return ask;
    },
    async listen(role, ...ports) {
      const command = [process.execPath, listenerFile, ...ports.map(String)];
      const child = spawnIn(at(role), command, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
      await new Promise((resolve, reject) => {
        child.once('message', resolve);
        child.once('exit', () => reject(new Error('the listener did not start')));
      });
    },
    async countAtRouter(...fits) {
      const name = `count${counters++}`;
      const chain = `{ type filter hook prerouting priority -400; }`;
      const rules = fits.map(fit => `add rule inet ${name} arrive ${fit}`);
      await onRouter(
        'nft',
        [
          `add table inet ${name}`,
          `add counter inet ${name} n`,
          `add chain inet ${name} arrive ${chain}`,
          ...rules,
        ].join('\n'),
      );
      return async () =>
        Number((await onRouter('nft', 'list', 'counter', 'inet', name, 'n')).match(/packets (\d+)/)![1]);
    },
    async refused(profile, timeoutMs = 60_000) {
      const customer = await connect(profile, { timeoutMs }).catch((error: Error) => error);
      if (!(customer instanceof Error)) throw new Error('the profile was let in');
      if (!/AUTH_FAILED|no tunnel within/.test(customer.message)) throw customer;
      return customer.message;
    },
    async settled() {
      await shop.reported(
        report =>
          report.revision === shop.revision() && report.subscriptions.every(({ state }) => state === 'up'),
      );
    },
    async deviceBytes(slot) {
      const count = async (way: 'rx' | 'tx') =>
        Number(await onHost('cat', `/sys/class/net/${tunnelDevice({ slot })}/statistics/${way}_bytes`));
      return { down: await count('tx'), up: await count('rx') };
    },
    servers,
    async serverOf(slot) {
      const until = performance.now() + RESTART_MS;
      for (;;) {
        for (const pid of await servers()) {
          const open = await must('grep', ['-rhs', 'iff:', `/proc/${pid}/fdinfo`]).catch(() => '');
          if (open.trim().endsWith(`fpt${slot}`)) return pid;
        }
        if (performance.now() > until) throw new Error(`no server for slot ${slot}`);
        await sleep(20);
      }
    },
    async end() {
      await Promise.all(customers.map(customer => customer.stop()));
      await region.stop();
      await shop.away();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** How long an unanswered profile is tried, in ms. */
export const UNANSWERED_MS = 3000;

/**
 * The best of a few measurements: one that is fast enough counts, however slow a busy machine was
 * before.
 */
export async function best(enough: number, measure: () => Promise<number>): Promise<number> {
  let most = 0;
  for (let tries = 0; tries < 6 && most < enough; tries++) most = Math.max(most, await measure());
  return most;
}

/** Waits until something holds. @throws Error naming it on timeout */
export async function eventually(
  what: string,
  holds: () => Promise<boolean> | boolean,
  timeoutMs = 60_000,
): Promise<void> {
  const until = performance.now() + timeoutMs;
  while (!(await holds())) {
    if (performance.now() > until) throw new Error(`not within ${timeoutMs} ms: ${what}`);
    await sleep(20);
  }
}
