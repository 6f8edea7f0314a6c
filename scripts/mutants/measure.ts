import { spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { basicEnv, root } from '@fixpoint/dev-stack/env.ts';
import type { Area } from './areas.ts';
import { type MutationReport, readMutants, type Score, UNDRAWN } from './score.ts';
import { tools } from './tools.ts';

/** Whose sample is drawn; the same in every run, so that a larger share holds the smaller one. */
const SEED = 'fixpoint';

const unitTests = ({ tests }: Area) => ({
  include: tests,
  testTimeout: 120_000,
  hookTimeout: 120_000,
});

/**
 * What a change keeps from happening is waited for in vain: a minute each, which a test takes only where the machine has
 * much else to do. All files of a run go through one worker that stays, in the order of the area.
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
import { keptWorker } from './scripts/mutants/kept-worker.ts';
import { inOrderOf } from './scripts/mutants/in-order.ts';
const test = ${JSON.stringify(area.server ? serverTests(area) : unitTests(area), undefined, 2)};
export default ${area.server ? '{ plugins: [keptWorker], test: { ...test, sequence: { sequencer: inOrderOf(test.include) } } }' : '{ test }'};
`;

/** Settings of Stryker for changes that a whole shop has to notice. */
function serverSettings(share: number, incrementalFile: string) {
  return {
    // Results are kept: a change is tried again when it, or a test that comes by it, is another one.
    incremental: true,
    incrementalFile,
    // What is worked out once as a module is loaded would need a worker of its own.
    ignoreStatic: true,
    // A column, a queue or a text by another name: the first test to come by fails, and it says nothing of the rules.
    mutator: { excludedMutations: ['StringLiteral'] },
    ...(share < 1 && { checkers: ['share'], mutantSample: { share, seed: SEED } }),
  };
}

/**
 * Changes an area's rules one by one in a copy of the checkout, and runs the tests that reach the change. Prints how far
 * it is.
 * @param share of the changes, from 0 to 1
 * @param files instead of all files of the area: these of them
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
  const kept = join(root, '.cache/mutants', `${name}.json`);
  if (area.server) await forgetUndrawn(kept);
  const stryker = {
    testRunner: 'vitest',
    plugins: [
      join(await tools(), 'node_modules/@stryker-mutator/vitest-runner/dist/src/index.js'),
      join(root, 'scripts/mutants/share.ts'),
    ],
    vitest: { configFile: 'mutants.vitest.config.ts', related: false },
    mutate: [...(files ?? area.mutate), '!**/*.test.ts', '!**/testing/**'],
    coverageAnalysis: 'perTest',
    concurrency: 3,
    // It is a copy already; and what it would rewrite for TypeScript needs a compiler with an interface.
    inPlace: true,
    tsconfigFile: 'none.json',
    dryRunTimeoutMinutes: 30,
    timeoutMS: 300_000,
    reporters: ['json', 'clear-text', 'progress-append-only'],
    clearTextReporter: { reportTests: false, reportMutants: false, reportScoreTable: false },
    jsonReporter: { fileName: report },
    tempDirName: 'mutants.tmp',
    allowEmpty: true,
    ...(area.server && serverSettings(share, kept)),
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
  if (code !== 0) throw new Error(`Stryker ended with ${code}`);
  const found = JSON.parse(await readFile(report, 'utf8')) as MutationReport;
  // What is known of files that were not asked for is in it, too.
  const asked = Object.entries(found.files).filter(([file]) => files?.includes(file) ?? true);
  return readMutants({ files: Object.fromEntries(asked) });
}

/** A change that was not drawn may be so in a larger share. */
async function forgetUndrawn(file: string): Promise<void> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) return;
  const report = JSON.parse(text) as MutationReport;
  for (const entry of Object.values(report.files))
    entry.mutants = entry.mutants.filter(({ status }) => status !== UNDRAWN);
  await writeFile(file, JSON.stringify(report));
}
