import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { basicEnv, root } from '@fixpoint/dev-stack/env.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Result, runStep } from './run-step.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fixpoint-step-'));
  await mkdir(join(folder, 'tests'));
});
afterEach(() => rm(folder, { recursive: true }));

/** Vitest on the files of a folder, as `npm test` runs it. */
function step(args: string[] = [], limit?: number): Promise<Result> {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const command = [vitest, 'run', '--globals', '--root', join(folder, 'tests'), ...args];
  return runStep({ name: 'some', command, counts: 'vitest', limit }, folder, new AbortController().signal);
}

const write = (name: string, source: string) => writeFile(join(folder, 'tests', name), source);

test('FO7 a hook that fails inside a group is named, with what it says', async () => {
  const source = `
    describe('keys', () => {
      beforeAll(() => { throw new Error('no host for them'); });
      test('are counted', () => {});
    });
    describe('others', () => test('pass', () => {}));`;
  await write('some.test.ts', source);
  const { passed, failed, failedTests } = await step();
  expect({ passed, failed }).toEqual({ passed: 1, failed: 1 });
  expect(failedTests).toEqual([
    {
      name: expect.stringContaining('some.test.ts › keys ›'),
      message: expect.stringContaining('no host for them'),
    },
  ]);
});

test('FO7 FO8 what fails or is skipped is named by its file: a test, a hook, a file that does not load', async () => {
  await write(
    'keys.test.ts',
    `describe('keys', () => {
      test('are counted', () => { throw new Error('one too many'); });
      test('are named', () => {});
      test.skip('are sealed (needs root: sudo npm test)', () => {});
      test.todo('are old');
    });`,
  );
  await write('broken.test.ts', 'nowhere();');
  await write(
    'hook.test.ts',
    `afterAll(() => { throw new Error('the host stays'); }); test('fine', () => {});`,
  );
  const { passed, failed, failedTests, skippedTests } = await step();
  expect({ passed, failed }).toEqual({ passed: 2, failed: 3 });
  expect(failedTests.map(({ name, message }) => [name, message.split('\n')[0]]).sort()).toEqual([
    [expect.stringMatching(/broken\.test\.ts does not load$/), expect.stringContaining('nowhere')],
    [expect.stringMatching(/hook\.test\.ts › before or after its tests$/), 'Error: the host stays'],
    [expect.stringMatching(/keys\.test\.ts › keys > are counted$/), 'Error: one too many'],
  ]);
  expect(skippedTests).toEqual([
    expect.stringContaining('keys.test.ts › keys > are sealed (needs root: sudo npm test)'),
    expect.stringContaining('keys.test.ts › keys > are old'),
  ]);
});

test('FO7 of a step that hangs it is said in which test, and what had come to its end is counted', async () => {
  const source = `
    test('passes', () => {});
    test('waits for ever', () => new Promise(() => setInterval(() => {}, 1000)), 0);`;
  await write('some.test.ts', source);
  const { passed, failed, failedTests } = await step([], 30_000);
  expect({ passed, failed }).toEqual({ passed: 1, failed: 2 });
  expect(failedTests.map(({ name }) => name)).toEqual([
    expect.stringMatching(/some\.test\.ts$/),
    expect.stringMatching(/some\.test\.ts › waits for ever$/),
  ]);
});

test('FO7 FO8 where a test hangs, the others of its file are skipped and say why', async () => {
  const setup = join(root, 'testkit/src/after-hang.ts');
  const options = 'testTimeout: 500, isolate: false, fileParallelism: false';
  await write('vitest.config.ts', `export default { test: { setupFiles: ['${setup}'], ${options} } };`);
  await write(
    'some.test.ts',
    `test('hangs', () => new Promise(() => {}));
    test('waits for the same', () => new Promise(() => {}));`,
  );
  await write('others.test.ts', `test('passes', () => {});`);
  const { passed, failedTests, skippedTests } = await step();
  expect(passed).toBe(1);
  expect(failedTests.map(({ name }) => name)).toEqual([expect.stringMatching(/some\.test\.ts › hangs$/)]);
  expect(skippedTests).toEqual([expect.stringMatching(/waits for the same \("hangs" of this file hung\)$/)]);
});

test('FO7 an error that belongs to no test fails the step and is told', async () => {
  await write('some.test.ts', `test('passes', () => { Promise.reject(new Error('nobody waits')); });`);
  const { passed, failed, failedTests } = await step();
  expect({ passed, failed }).toEqual({ passed: 1, failed: 1 });
  expect(failedTests[0]!.message).toContain('nobody waits');
});

test('FO7 a step that ran no test has failed, whatever its runner says', async () => {
  expect(await step(['--passWithNoTests'])).toMatchObject({ passed: 0, failed: 1 });
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
