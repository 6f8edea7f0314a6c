import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { basicEnv, root } from '@fixpoint/dev-stack/env.ts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Result, runStep } from './run-step.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fixpoint-step-'));
  await mkdir(join(folder, 'tests'));
});
afterEach(() => rm(folder, { recursive: true }));

/** Runs Vitest on the test folder as `npm test` does. */
function step(args: string[] = [], limit?: number, settings: string[] = []): Promise<Result> {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const command = [vitest, 'run', '--globals', '--root', join(folder, 'tests'), ...args];
  const { signal } = new AbortController();
  return runStep({ name: 'some', command, counts: 'vitest', limit, settings }, folder, signal);
}

const write = (name: string, source: string) => writeFile(join(folder, 'tests', name), source);

test('FO7 the report names a failed hook of a group and its message', async () => {
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

test('FO7 FO8 the report names failed and skipped tests, failed hooks and files that do not load', async () => {
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

test('a step gets the settings that it names, and no others', async () => {
  const source = `test('needs them', () => expect(process.env).toMatchObject({ SCHEMA_OF_TEST: '/srv/schema' }));
    test('sees no others', () => expect(process.env.OTHER_OF_TEST).toBeUndefined());`;
  await write('some.test.ts', source);
  vi.stubEnv('SCHEMA_OF_TEST', '/srv/schema').stubEnv('OTHER_OF_TEST', '1');
  const { passed, failed } = await step([], undefined, ['SCHEMA_OF_TEST']);
  vi.unstubAllEnvs();
  expect({ passed, failed }).toEqual({ passed: 2, failed: 0 });
});

test('FO7 the report of a hanging step names the running test and counts finished ones', async () => {
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

test('FO7 FO8 after a hanging test the rest of its file is skipped with the reason', async () => {
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

test('FO7 an unhandled error outside of tests fails the step and is reported', async () => {
  await write('some.test.ts', `test('passes', () => { Promise.reject(new Error('nobody waits')); });`);
  const { passed, failed, failedTests } = await step();
  expect({ passed, failed }).toEqual({ passed: 1, failed: 1 });
  expect(failedTests[0]!.message).toContain('nobody waits');
});

test('FO7 a step without tests fails even when the runner passes', async () => {
  expect(await step(['--passWithNoTests'])).toMatchObject({ passed: 0, failed: 1 });
});

test('FO7 --only with an unknown name fails and lists the names', () => {
  const { status, stdout } = spawnSync(
    process.execPath,
    [join(root, 'scripts/test.ts'), '--only', 'nosuch'],
    { env: basicEnv(), encoding: 'utf8' },
  );
  expect(status).toBe(1);
  expect(stdout).toMatch(/no step "nosuch".*unit.*journeys/);
});
