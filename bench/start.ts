import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readArguments } from './command/arguments.ts';
import { verdict } from './command/verdict.ts';
import { npmStart } from './start/npm-start.ts';

/**
 * `npm run bench -- start [runs]` measures the time from `npm start` until the shop is ready, without sandbox and demo region,
 * with packages installed and the web client built: first with a new data folder, then with the same one. Exits with 1 when
 * the median second start misses its goal.
 */
const { positionals } = readArguments('start [runs]', 1, {});
const runs = Number(positionals[0] ?? 3);
const median = (numbers: number[]): number => numbers.toSorted((a, b) => a - b)[numbers.length >> 1]!;

const cold: number[] = [];
const second: number[] = [];
for (let run = 0; run < runs; run++) {
  const dataDir = await mkdtemp(join(tmpdir(), 'fixpoint-start-'));
  for (const measured of [cold, second]) {
    const started = await npmStart(dataDir);
    measured.push(started.ms);
    await started.stop();
  }
  await rm(dataDir, { recursive: true, force: true });
}
const goal = verdict('2 s, with the database', median(second) <= 2_000);
console.log(`new data folder ${(median(cold) / 1000).toFixed(1)} s`);
console.log(`second start    ${(median(second) / 1000).toFixed(1)} s   ${goal}`);
