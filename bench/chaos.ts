import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startStack } from '@fixpoint/dev-stack/stack.ts';
import { forStorm, nodesStorm } from '../e2e/chaos/nodes-storm.ts';
import { readArguments } from './command/arguments.ts';

/**
 * `npm run bench -- chaos [--buyers 200] [--seed N] [--parallel 16] [--freeze 20]`: buyers at three nodes on one database, all of which are
 * killed, and stopped for so many seconds at most, while the provider is faulty; then nothing may be lost, taken twice or left open. Ends with 1 when
 * something is. The seed is printed: it chooses the same buyers, faults and deeds again, at other moments.
 */
const { values } = readArguments('chaos [--buyers 200] [--seed N] [--parallel 16] [--freeze 20]', 0, {
  buyers: { type: 'string', default: '200' },
  seed: { type: 'string', default: String(process.pid) },
  parallel: { type: 'string', default: '16' },
  freeze: { type: 'string', default: '20' },
});
const { buyers, seed, parallel, freeze } = values;
const again = `npm run bench -- chaos --buyers ${buyers} --seed ${seed} --parallel ${parallel} --freeze ${freeze}`;
console.log(again);

const dataDir = await mkdtemp(join(tmpdir(), 'fixpoint-chaos-'));
const began = performance.now();
const stack = await startStack({ dataDir, ...forStorm });
let wrong: string[] = ['it did not end'];
try {
  wrong = await nodesStorm(stack, {
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
    wrong.length === 0
      ? 'The books balance.'
      : `${wrong.join('\n')}\nThe logs are in ${dataDir}/logs\nThe same buyers, faults and deeds at other moments: ${again}`,
  );
  if (wrong.length === 0) await rm(dataDir, { recursive: true, force: true });
  process.exitCode = wrong.length === 0 ? 0 : 1;
}
