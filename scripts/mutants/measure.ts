import { spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { basicEnv } from '../env.ts';
import type { Area } from './areas.ts';
import { readMutants, type Score } from './score.ts';
import { tools } from './tools.ts';

/**
 * Changes an area's rules one by one in a copy of the checkout, and runs the tests that reach the change. Prints how far
 * it is.
 * @param files instead of all files of the area: these of them
 */
export async function measure(copy: string, area: Area, files?: string[]): Promise<Score> {
  const vitest = {
    test: {
      include: area.tests,
      testTimeout: 120_000,
      hookTimeout: 120_000,
      ...(area.server && { globalSetup: ['testkit/src/database.ts'] }),
    },
  };
  await writeFile(
    join(copy, 'mutants.vitest.config.ts'),
    `export default ${JSON.stringify(vitest, undefined, 2)};\n`,
  );
  const report = join(copy, 'mutants.json');
  const stryker = {
    testRunner: 'vitest',
    plugins: [join(await tools(), 'node_modules/@stryker-mutator/vitest-runner/dist/src/index.js')],
    vitest: { configFile: 'mutants.vitest.config.ts', related: false },
    mutate: [...(files ?? area.mutate), '!**/*.test.ts', '!**/testing/**'],
    coverageAnalysis: 'perTest',
    concurrency: 2,
    // It is a copy already; and what it would rewrite for TypeScript needs a compiler with an interface.
    inPlace: true,
    tsconfigFile: 'none.json',
    dryRunTimeoutMinutes: 30,
    timeoutMS: 60_000,
    reporters: ['json', 'clear-text', 'progress-append-only'],
    clearTextReporter: { reportTests: false, reportMutants: false, reportScoreTable: false },
    jsonReporter: { fileName: report },
    tempDirName: 'mutants.tmp',
    allowEmpty: true,
  };
  const config = join(copy, 'mutants.stryker.json');
  await writeFile(config, JSON.stringify(stryker, undefined, 2));
  const program = join(await tools(), 'node_modules/@stryker-mutator/core/bin/stryker.js');
  const child = spawn(process.execPath, [program, 'run', config], {
    cwd: copy,
    env: basicEnv(),
    stdio: 'inherit',
  });
  const code = await new Promise(resolve => child.once('close', resolve));
  if (code !== 0) throw new Error(`Stryker ended with ${code}`);
  return readMutants(JSON.parse(await readFile(report, 'utf8')));
}
