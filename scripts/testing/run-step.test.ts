import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { basicEnv, root } from '../env.ts';
import { type Result, runStep } from './run-step.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fixpoint-step-'));
  await mkdir(join(folder, 'tests'));
});
afterEach(() => rm(folder, { recursive: true }));

/** Vitest on the files of a folder, as `npm test` runs it. */
function step(...args: string[]): Promise<Result> {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const command = [vitest, 'run', '--globals', '--root', join(folder, 'tests'), ...args];
  return runStep({ name: 'some', command, counts: 'vitest' }, folder, new AbortController().signal);
}

test('FO7 a hook that fails inside a group is named, with what it says', async () => {
  const source = `
    describe('keys', () => {
      beforeAll(() => { throw new Error('no host for them'); });
      test('are counted', () => {});
    });
    describe('others', () => test('pass', () => {}));`;
  await writeFile(join(folder, 'tests/some.test.ts'), source);
  const { passed, failed, failedTests } = await step();
  expect({ passed, failed }).toEqual({ passed: 1, failed: 1 });
  expect(failedTests).toEqual([
    { name: expect.stringContaining('some.test.ts › keys ›'), message: 'no host for them' },
  ]);
});

test('FO7 a step that ran no test has failed, whatever its runner says', async () => {
  expect(await step('--passWithNoTests')).toMatchObject({ passed: 0, failed: 1 });
});

test('FO7 --only with a name that is none fails and says the names', () => {
  const { status, stdout } = spawnSync(
    process.execPath,
    [join(root, 'scripts/test.ts'), '--only', 'nosuch'],
    { env: basicEnv(), encoding: 'utf8' },
  );
  expect(status).toBe(1);
  expect(stdout).toMatch(/no step "nosuch".*unit.*journeys/);
});
