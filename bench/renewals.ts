import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { queues } from '@fixpoint/api/adapters/jobs/queues.ts';
import { sandboxKeys } from '@fixpoint/dev-stack/environment.ts';
import { startStack } from '@fixpoint/dev-stack/stack.ts';
import { until } from '@fixpoint/testkit/buyer.ts';
import { controlOf } from '@fixpoint/testkit/sandbox.ts';
import pg from 'pg';
import { cpuOf } from './calls/cpu.ts';
import { readArguments } from './command/arguments.ts';
import { bareRenewals } from './renewals/bare.ts';
import { checkRenewals, overLimits } from './renewals/check-renewals.ts';
import { beginDay, isSettled, paid, rendered } from './renewals/day.ts';
import { dropAllEvents, slowGateway } from './renewals/gateway.ts';
import { prepare } from './renewals/prepare.ts';

/**
 * `npm run bench -- renewals [count] [--calls 25]` makes `count` subscriptions due at once. One worker, which is killed half
 * way, invoices and charges them at a sandbox that answers after 50 ms; then bare SQL and HTTP write the same rows and
 * charges. The rate covers the first half, with the documents and emails of that time. `--calls` is the gateway's limit for
 * calls of a kind per second (default: Stripe's). Exits with 1 when a subscription was not renewed and charged exactly once,
 * the books do not balance, the limit was exceeded, or the worker's memory grew with `count`.
 */
const { values, positionals } = readArguments('renewals [count] [--calls 25]', 1, {
  calls: { type: 'string' },
});
const count = Number(positionals[0] ?? 100_000);
const BARE_S = 10;
const GOAL = 0.5;
/** Calls per second that Stripe allows an account. */
const CALLS = 25;
const calls = Number(values.calls ?? CALLS);

const dataDir = await mkdtemp(join(tmpdir(), 'fixpoint-renewals-'));
const began = performance.now();
const say = (line: string) =>
  console.log(`${((performance.now() - began) / 1000).toFixed(1).padStart(7)} s  ${line}`);
const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;

/** Sum of the peak memory of a process and its child (the document renderer), in MiB. */
async function peakOf(pid: number): Promise<number> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  const status = await Promise.all(
    [pid, ...children.trim().split(' ')].map(one => readFile(`/proc/${one}/status`, 'utf8').catch(() => '')),
  );
  return status.reduce((sum, text) => sum + Number(/VmHWM:\s+(\d+)/.exec(text)?.[1] ?? 0) / 1024, 0);
}

await prepare(dataDir, count);
say(`shop filled, ${count.toLocaleString('en')} of its subscriptions will be due`);
const env = { ROLE: 'api', LOG_LEVEL: 'error', STRIPE_CALLS_PER_SECOND: String(calls) };
const stack = await startStack({ dataDir, durable: false, env, show: say });
const owner = new pg.Client(stack.databaseUrls.owner);
let violations = ['the run did not finish'];
try {
  await owner.connect();
  const { url, token } = stack.sandbox!;
  const control = controlOf(url, token);
  const { child: worker } = await stack.startNode('worker');
  const task = `select from pgboss.schedule where name = 'task-renewDue'`;
  await until(async () => (await owner.query(task)).rowCount === 1, 'the worker', 30_000);
  const gateway = await slowGateway(control);

  const before = await paid(owner);
  const renewed = async (share: number) => (await paid(owner)) - before >= count * share;
  const hour = 3_600_000;
  await beginDay(owner);
  const start = performance.now();
  const parts = () => ({
    worker: worker.pid!,
    API: stack.api.pid!,
    PostgreSQL: stack.postgres!.pid,
    sandbox: stack.sandbox!.pid!,
  });
  const used = () => Promise.all(Object.values(parts()).map(cpuOf));
  const cpuBefore = await used();
  // Runs the task now instead of at the next full minute.
  await owner.query(`insert into pgboss.job (name, policy) values ('task-renewDue', 'exclusive')`);

  await until(() => renewed(0.5), 'the first half', hour);
  const half = performance.now() - start;
  const done = (await paid(owner)) - before;
  const cpu = (await used()).map((now, index) => (now - cpuBefore[index]!) / done);
  const ours = (done * 1000) / half;
  let peak = await peakOf(worker.pid!);
  await worker.kill9();
  const killed = performance.now();
  const atKill = await paid(owner);
  say(`${done} renewed in ${seconds(half)}, ${await rendered(owner)} documents rendered; killing the worker`);
  // With a small count all may be renewed by then.
  if (!(await renewed(1))) {
    await until(async () => (await paid(owner)) > atKill, 'a renewal after the kill', hour);
    say(`the next renewal ${seconds(performance.now() - killed)} after the kill`);
  }
  await until(() => renewed(1), 'all renewals', hour);
  say(
    `all renewed ${seconds(performance.now() - start)} after they fell due; ${await rendered(owner)} documents rendered`,
  );
  await until(() => isSettled(owner), 'the last payment checks', hour);
  gateway.stop();
  // The worker may still be restarting when all were renewed before the kill.
  await worker.ready();
  peak = Math.max(peak, await peakOf(worker.pid!));
  await worker.stop();
  violations = await checkRenewals(owner, stack.databaseUrls.owner, control);
  say(
    violations.length === 0
      ? 'each renewed and charged exactly once; the books balance'
      : violations.join('\n'),
  );
  const over = overLimits({ calls, most: gateway.most(), peak });
  say(over.length === 0 ? 'within the rate limit of the gateway and in bounded memory' : over.join('\n'));
  violations.push(...over);

  await dropAllEvents(control);
  const { secret } = await sandboxKeys(dataDir);
  const atOnce = queues.chargeRenewal.parallel!;
  const cpuOfBare = async () => (await cpuOf(process.pid)) + (await cpuOf(stack.postgres!.pid));
  const cpuAtBare = await cpuOfBare();
  const { renewals, ms } = await bareRenewals(
    stack.databaseUrls.owner,
    { url, secret },
    { atOnce, calls, seconds: BARE_S },
  );
  const [bare, bareCpu] = [(renewals * 1000) / ms, ((await cpuOfBare()) - cpuAtBare) / renewals];
  const names = Object.keys(parts());
  const each = names.map((name, index) => `${name} ${cpu[index]!.toFixed(0)} ms`);
  const byCpu = bareCpu / (cpu[names.indexOf('worker')]! + cpu[names.indexOf('PostgreSQL')]!);
  console.log(
    `renewals         ${ours.toFixed(1)} /s, ${(ours / bare).toFixed(2)} of bare SQL and HTTP (${bare.toFixed(1)} /s, ` +
      `${atOnce} at a time; by CPU ${byCpu.toFixed(2)})   goal ${GOAL}`,
  );
  console.log(`CPU of one       ${each.join(', ')}; bare ${bareCpu.toFixed(0)} ms`);
  console.log(`worker, renderer peak ${peak.toFixed(0)} MiB`);
  const [often] = [...gateway.most()].sort(([, a], [, b]) => b - a);
  console.log(`gateway          at most ${often?.[1]} calls in a second (${often?.[0]}), of ${calls}`);
} finally {
  await owner.end();
  await stack.stop();
  await rm(dataDir, { recursive: true, force: true });
  process.exitCode = violations.length === 0 ? 0 : 1;
}
