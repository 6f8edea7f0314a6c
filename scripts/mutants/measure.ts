import { spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { basicEnv, root } from '@fixpoint/dev-stack/env.ts';
import type { Area } from './areas.ts';
import { type MutationReport, readMutants, type Score, UNDRAWN } from './score.ts';
import { tools } from './tools.ts';

/** Seed of the sample, fixed so that a larger share contains the smaller one. */
const SEED = 'fixpoint';

const unitTests = ({ tests }: Area) => ({
  include: tests,
  testTimeout: 120_000,
  hookTimeout: 120_000,
});

/**
 * Short timeouts, because a test waits in vain for what a mutant prevents. All files of a run use one worker, in the order of
 * the area.
 */
const serverTests = ({ tests }: Area) => ({
  include: tests,
  testTimeout: 60_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 20_000 } },
  globalSetup: ['testkit/src/database.ts'],
  setupFiles: ['scripts/mutants/forget-change.ts'],
  isolate: false,
});

const config = (area: Area) => `
import { reusedWorker } from './scripts/mutants/reused-worker.ts';
import { inOrderOf } from './scripts/mutants/in-order.ts';
const test = ${JSON.stringify(area.server ? serverTests(area) : unitTests(area), undefined, 2)};
export default ${area.server ? '{ plugins: [reusedWorker], test: { ...test, sequence: { sequencer: inOrderOf(test.include) } } }' : '{ test }'};
`;

/** Stryker settings for areas with server tests. */
function serverSettings(share: number) {
  return {
    // Static mutants would need a new worker each.
    ignoreStatic: true,
    // Changed names of columns, queues or texts fail any test and say nothing about rules.
    mutator: { excludedMutations: ['StringLiteral'] },
    // Stryker gives half of its processes to what draws the sample, which is done at once: the other two run tests.
    ...(share < 1 && { checkers: ['share'], mutantSample: { share, seed: SEED }, concurrency: 4 }),
  };
}

/**
 * Runs Stryker for an area in a copy of the checkout, and prints progress.
 * @param share of the mutants that are tried, from 0 to 1
 * @param files limits the area to these files
 */
export async function measure(
  copy: string,
  name: string,
  area: Area,
  share: number,
  files?: string[],
): Promise<Score> {
  await writeFile(join(copy, 'mutants.vitest.config.ts'), config(area));
  const report = join(copy, 'mutants.json');
  const cache = join(root, '.cache/mutants', `${name}.json`);
  await forgetUnsure(cache);
  const stryker = {
    testRunner: 'vitest',
    plugins: [
      join(await tools(), 'node_modules/@stryker-mutator/vitest-runner/dist/src/index.js'),
      join(root, 'scripts/mutants/share.ts'),
    ],
    vitest: { configFile: 'mutants.vitest.config.ts', related: false },
    mutate: [...(files ?? area.mutate), '!**/*.test.ts', '!**/testing/**'],
    coverageAnalysis: 'perTest',
    // Results are cached until the mutant or a test that covers it changes.
    incremental: true,
    incrementalFile: cache,
    concurrency: 3,
    // The checkout is a copy already. Without tsconfig Stryker does not rewrite it, which would need TypeScript's API.
    inPlace: true,
    tsconfigFile: 'none.json',
    dryRunTimeoutMinutes: 30,
    timeoutMS: 300_000,
    reporters: ['json', 'clear-text', 'progress-append-only'],
    clearTextReporter: { reportTests: false, reportMutants: false, reportScoreTable: false },
    jsonReporter: { fileName: report },
    tempDirName: 'mutants.tmp',
    allowEmpty: true,
    ...(area.server && serverSettings(share)),
  };
  const settings = join(copy, 'mutants.stryker.json');
  await writeFile(settings, JSON.stringify(stryker, undefined, 2));
  const program = join(await tools(), 'node_modules/@stryker-mutator/core/bin/stryker.js');
  const child = spawn(process.execPath, [program, 'run', settings], {
    cwd: copy,
    env: basicEnv(),
    stdio: 'inherit',
  });
  const code = await new Promise(resolve => child.once('close', resolve));
  if (code !== 0) throw new Error(`Stryker exited with ${code}`);
  const found = JSON.parse(await readFile(report, 'utf8')) as MutationReport;
  // The report also has cached results of other files.
  const asked = Object.entries(found.files).filter(([file]) => files?.includes(file) ?? true);
  return readMutants({ files: Object.fromEntries(asked) });
}

/**
 * Removes mutants from the cache whose result may be another now: those outside the sample, which a larger share may contain,
 * and static survivors, since Stryker does not see that a new test covers them.
 */
async function forgetUnsure(file: string): Promise<void> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) return;
  const report = JSON.parse(text) as MutationReport;
  for (const entry of Object.values(report.files))
    entry.mutants = entry.mutants.filter(
      mutant => mutant.status !== UNDRAWN && !(mutant.static && mutant.status === 'Survived'),
    );
  await writeFile(file, JSON.stringify(report));
}
