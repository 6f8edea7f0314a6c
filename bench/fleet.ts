import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { startStack } from '@fixpoint/dev-stack/stack.ts';
import { readArguments } from './command/arguments.ts';
import { changeAll, changeKeys, logInCustomers, type Seen } from './fleet/changes.ts';
import { costOf } from './fleet/cost.ts';
import { startHosts } from './fleet/hosts.ts';
import { prepare } from './fleet/prepare.ts';

/**
 * `npm run bench -- fleet` simulates VPN hosts without tunnels, in their own process: they poll one API over mTLS with the
 * agent's real client and report what they run. Customers add a key and delete it again. Measures how long until the host
 * has the change, and CPU and memory of API, PostgreSQL and the simulated hosts, idle and during changes. Then the API
 * restarts with a pending change for every host. Exits with 1 when the p95 of a key misses the goal.
 */
const { values, positionals } = readArguments(
  `fleet [hosts] [subscriptions] [--changes 100] [--pace 1] [--rest 60]
  --changes  customers who add a key and delete it
  --pace     customers who begin per second. 100,000 subscriptions with two changes a month each cause one change in four
             seconds in an hour that is three times busier than average; the two changes a second of pace 1 are eight times that
  --rest     seconds without a change; hosts report once a minute`,
  2,
  {
    changes: { type: 'string', default: '100' },
    pace: { type: 'string', default: '1' },
    rest: { type: 'string', default: '60' },
  },
);
const [hostCount, subscriptions] = [Number(positionals[0] ?? 1000), Number(positionals[1] ?? 100_000)];
const GOAL_MS = 1000;

const quantile = (numbers: number[], part: number): number =>
  numbers.toSorted((a, b) => a - b)[Math.min(numbers.length - 1, Math.floor(numbers.length * part))]!;
const percentiles = (numbers: number[]): string =>
  `p50 ${quantile(numbers, 0.5).toFixed(0)} ms, p95 ${quantile(numbers, 0.95).toFixed(0)} ms, max ${Math.max(...numbers).toFixed(0)} ms   goal p95 ${GOAL_MS} ms`;

const dataDir = await mkdtemp(join(tmpdir(), 'fixpoint-fleet-'));
const joining = await prepare(dataDir, hostCount, subscriptions);
const hostIds = joining.map(({ hostId }) => hostId);
const runs = joining.reduce((sum, host) => sum + host.subscriptions, 0);
const stack = await startStack({
  dataDir,
  durable: false,
  env: { LOG_LEVEL: 'error', LIMITS_SCALE: '1000000' },
  show: console.log,
});
const hosts = startHosts();
const cost = (work: () => Promise<void>) =>
  costOf(
    () => ({ API: stack.api.pid!, PostgreSQL: stack.postgres!.pid, 'simulated hosts': hosts.pid }),
    work,
  );
const secondsSince = (begun: number): string => `${((performance.now() - begun) / 1000).toFixed(1)} s`;

try {
  const begun = performance.now();
  const joined = await cost(() => hosts.join(join(dataDir, 'agent.sock'), joining));
  console.log(
    `${hostIds.length} hosts with ${runs} subscriptions joined in ${secondsSince(begun)}: ${joined}`,
  );

  const shop = { url: stack.url, databaseUrl: stack.databaseUrls.owner };
  const customers = await logInCustomers(shop, hostIds, Number(values.changes));
  const rest = await cost(() => new Promise(done => setTimeout(done, Number(values.rest) * 1000)));
  let seen: Seen = { added: [], deleted: [] };
  const changing = await cost(async () => {
    seen = await changeKeys(hosts, customers, Number(values.pace));
  });
  console.log(`added key at its host    ${percentiles(seen.added)}`);
  console.log(`deleted key at its host  ${percentiles(seen.deleted)}`);
  console.log(`at rest         ${rest}`);
  console.log(`while changing  ${changing}; ${seen.added.length} keys added and deleted`);
  console.log(`load average of the last minute  ${loadavg()[0]!.toFixed(1)}`);

  const allDelivered = hosts.allDelivered(hostIds);
  await changeAll(shop.databaseUrl, hostIds);
  let up = 0;
  const back = await cost(async () => {
    await stack.api.restart();
    up = performance.now();
    await allDelivered;
  });
  console.log(
    `API restarted   all hosts received their change ${secondsSince(up)} after it was ready: ${back}`,
  );
  if (quantile([...seen.added, ...seen.deleted], 0.95) > GOAL_MS) process.exitCode = 1;
} finally {
  await hosts.stop();
  await stack.stop();
  await rm(dataDir, { recursive: true, force: true });
}
