import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildWeb } from '@fixpoint/dev-stack/build-web.ts';
import { startStack } from '@fixpoint/dev-stack/stack.ts';
import { startHostWithoutTunnels } from '../e2e/host-without-tunnels.ts';
import { type FirstVisit, measureFirstVisit } from '../e2e/lighthouse.ts';
import { readArguments } from './command/arguments.ts';

/**
 * `npm run bench -- lighthouse [path] [runs]` measures the first visit to a route from a simulated phone, several times. Prints
 * the median of each figure and exits with 1 when one misses its goal.
 */
const { positionals } = readArguments('lighthouse [path] [runs]', 2, {});
const path = positionals[0] ?? '/#/en/get-started';
const runs = Number(positionals[1] ?? 5);
const goals: [string, (visit: FirstVisit) => number, 'at least' | 'at most', number][] = [
  ['performance', ({ scores }) => scores.performance, 'at least', 97],
  ['accessibility', ({ scores }) => scores.accessibility, 'at least', 100],
  ['best practices', ({ scores }) => scores.bestPractices, 'at least', 100],
  ['largest contentful paint, ms', visit => visit.largestContentfulPaint, 'at most', 1600],
  ['total blocking time, ms', visit => visit.totalBlockingTime, 'at most', 150],
  ['cumulative layout shift', visit => visit.cumulativeLayoutShift, 'at most', 0.02],
];

const median = (numbers: number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;

await buildWeb(console.log);
const dataDir = await mkdtemp(join(tmpdir(), 'fixpoint-bench-'));
const stack = await startStack({ dataDir, durable: false, env: { SEED: 'demo' } });
// The order page looks for an address that is for sale.
const host = await startHostWithoutTunnels(stack, dataDir);
try {
  const visits: FirstVisit[] = [];
  for (let run = 0; run < runs; run++) {
    visits.push(await measureFirstVisit(`${stack.publicUrl}${path}`));
  }
  for (const [name, read, direction, goal] of goals) {
    const values = visits.map(read);
    const middle = median(values);
    const met = direction === 'at least' ? middle >= goal : middle <= goal;
    if (!met) process.exitCode = 1;
    const spread = values.map(value => Number(value.toFixed(3))).join(' ');
    console.log(
      `${met ? 'ok    ' : 'MISSED'}  ${name}: ${Number(middle.toFixed(3))} (${direction} ${goal}; ${spread})`,
    );
  }
  console.log(`speed of this machine: ${visits.map(each => Math.round(each.machine)).join(' ')}`);
  const last = visits.at(-1);
  console.log(
    `first contentful paint, ms: ${Math.round(median(visits.map(each => each.firstContentfulPaint)))}`,
  );
  for (const { url, bytes } of last?.requests ?? []) console.log(`${String(bytes).padStart(8)} B  ${url}`);
  for (const fault of last?.faults ?? []) console.log(`failed audit: ${fault}`);
} finally {
  await host.stop();
  await stack.stop();
  await rm(dataDir, { recursive: true, force: true });
}
