import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startStack } from '@fixpoint/dev-stack/stack.ts';
import { forLoadTest, nodesLoadTest } from '../e2e/chaos/nodes-load-test.ts';
import { readArguments } from './command/arguments.ts';

/**
 * `npm run bench -- chaos [--buyers 200] [--seed N] [--parallel 16] [--freeze 20]` lets buyers use three nodes on one
 * database, all of which are killed, or stopped for up to `--freeze` seconds, while the gateway is faulty. Exits with 1 when
 * a payment is lost, taken twice or left open. The printed seed repeats buyers, faults and actions, but not their timing.
 */
const { values } = readArguments('chaos [--buyers 200] [--seed N] [--parallel 16] [--freeze 20]', 0, {
  buyers: { type: 'string', default: '200' },
  seed: { type: 'string', default: String(process.pid) },
  parallel: { type: 'string', default: '16' },
  freeze: { type: 'string', default: '20' },
});
const { buyers, seed, parallel, freeze } = values;
const command = `npm run bench -- chaos --buyers ${buyers} --seed ${seed} --parallel ${parallel} --freeze ${freeze}`;
console.log(command);

const dataDir = await mkdtemp(join(tmpdir(), 'fixpoint-chaos-'));
const began = performance.now();
const stack = await startStack({ dataDir, ...forLoadTest });
let violations: string[] = ['the run did not finish'];
try {
  violations = await nodesLoadTest(stack, {
    dataDir,
    buyers: Number(buyers),
    seed,
    parallel: Number(parallel),
    longestFreeze: Number(freeze) * 1000,
    say: line => console.log(`${((performance.now() - began) / 1000).toFixed(1).padStart(6)} s  ${line}`),
  });
} finally {
  await stack.stop();
  console.log(
    violations.length === 0
      ? 'The books balance.'
      : `${violations.join('\n')}\nRead the logs in ${dataDir}/logs\nRepeat the buyers, faults and actions:\n  ${command}`,
  );
  if (violations.length === 0) await rm(dataDir, { recursive: true, force: true });
  process.exitCode = violations.length === 0 ? 0 : 1;
}
