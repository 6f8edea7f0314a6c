import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { until } from '@fixpoint/testkit/buyer.ts';
import { type FakeHost, startFakeHost } from '@fixpoint/testkit/fake-host.ts';
import { startStack } from '../scripts/stack/stack.ts';
import { cpuOf, memoryOf, treeOf } from './calls/cpu.ts';
import { answerHelp } from './command/help.ts';
import { changeKeys, logInCustomers } from './fleet/changes.ts';
import { type Joining, prepare } from './fleet/prepare.ts';

/**
 * `npm run bench -- fleet [hosts] [subscriptions] [--changes 200] [--rest 20]`: so many hosts without tunnels, all in this
 * process, ask one API over mTLS with the real agent's client and report what they run. Customers add a key and delete it
 * again, ten a second: how long until their host has it; and what API and PostgreSQL cost at rest, for so many seconds, and
 * meanwhile. Ends with 1 when it takes longer than the goal.
 */
answerHelp('fleet [hosts] [subscriptions] [--changes 200] [--rest 20]');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { changes: { type: 'string', default: '200' }, rest: { type: 'string', default: '20' } },
});
const [hosts, subscriptions] = [Number(positionals[0] ?? 1000), Number(positionals[1] ?? 100_000)];
const A_SECOND = 10;
const GOAL_MS = 1000;
/** So many join at a time. */
const JOINING = 16;
const JOIN_MS = 600_000;

const dataDir = await mkdtemp(join(tmpdir(), 'fixpoint-fleet-'));
const joining = await prepare(dataDir, hosts, subscriptions);
const stack = await startStack({
  dataDir,
  durable: false,
  env: { LOG_LEVEL: 'error', LIMITS_SCALE: '1000000' },
  show: console.log,
});
const fleet: FakeHost[] = [];

const parts = { API: stack.api.pid!, PostgreSQL: stack.postgres!.pid };

/** What a while costs: CPU seconds of each part in a second, and what it holds at the end. */
async function costOf<T>(work: () => Promise<T>): Promise<{ result: T; cost: string }> {
  const used = () => Promise.all(Object.values(parts).map(cpuOf));
  const [before, begun] = [await used(), performance.now()];
  const result = await work();
  const took = performance.now() - begun;
  const cpu = (await used()).map((now, index) => (now - before[index]!) / took);
  const mib = await Promise.all(
    Object.values(parts).map(async pid => {
      const held = await Promise.all((await treeOf(pid)).map(memoryOf));
      return held.reduce((sum, each) => sum + each, 0);
    }),
  );
  const costs = Object.keys(parts).map(
    (name, index) => `${name} ${cpu[index]!.toFixed(2)} CPU s a second, ${mib[index]!.toFixed(0)} MiB`,
  );
  return { result, cost: costs.join('; ') };
}

async function joinOne(queue: Joining[]): Promise<void> {
  for (let next = queue.shift(); next; next = queue.shift()) {
    const { token, subscriptions: runs } = next;
    const host = await startFakeHost({ socketPath: join(dataDir, 'agent.sock') }, token);
    fleet.push(host);
    await until(async () => host.set()?.subscriptions.length === runs, `the set of ${next.hostId}`, JOIN_MS);
  }
}

const quantile = (numbers: number[], part: number): number =>
  numbers.toSorted((a, b) => a - b)[Math.min(numbers.length - 1, Math.floor(numbers.length * part))]!;
const told = (numbers: number[]): string =>
  `p50 ${quantile(numbers, 0.5).toFixed(0)} ms, p95 ${quantile(numbers, 0.95).toFixed(0)} ms`;

try {
  const runs = joining.reduce((sum, host) => sum + host.subscriptions, 0);
  const begun = performance.now();
  const queue = [...joining];
  const joined = await costOf(() => Promise.all(Array.from({ length: JOINING }, () => joinOne(queue))));
  const took = (performance.now() - begun) / 1000;
  console.log(
    `${fleet.length} hosts with ${runs} subscriptions joined in ${took.toFixed(1)} s: ${joined.cost}`,
  );

  const shop = { url: stack.url, databaseUrl: stack.databaseUrls.owner };
  const customers = await logInCustomers(shop, fleet, Number(values.changes));
  const rest = await costOf(() => new Promise(done => setTimeout(done, Number(values.rest) * 1000)));
  const { result: seen, cost } = await costOf(() => changeKeys(customers, A_SECOND));
  console.log(`added key at its host    ${told(seen.added)}   goal p95 ${GOAL_MS} ms`);
  console.log(`deleted key at its host  ${told(seen.deleted)}   goal p95 ${GOAL_MS} ms`);
  console.log(`at rest         ${rest.cost}`);
  console.log(`while changing  ${cost}   ${seen.added.length} keys added and deleted, ${A_SECOND} a second`);
  if (quantile([...seen.added, ...seen.deleted], 0.95) > GOAL_MS) process.exitCode = 1;
} finally {
  await Promise.all(fleet.map(host => host.stop()));
  await stack.stop();
  await rm(dataDir, { recursive: true, force: true });
}
