import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { root } from '../env.ts';
import { describeFailure } from './failure.ts';
import { readReport } from './report.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fixpoint-report-'));
});

afterEach(() => rm(folder, { recursive: true }));

async function read(kind: 'vitest' | 'playwright', report: unknown) {
  const file = join(folder, 'report.json');
  await writeFile(file, JSON.stringify(report));
  return readReport(kind, file);
}

const vitest = {
  numPassedTests: 3,
  testResults: [
    {
      name: join(root, 'apps/api/test/keys.server.test.ts'),
      status: 'failed',
      assertionResults: [
        { fullName: ' keys are counted', status: 'failed', failureMessages: ['Error: one too many\n'] },
        { fullName: 'keys are named', status: 'passed', failureMessages: [] },
        { fullName: 'keys are sealed (needs root: sudo npm test)', status: 'skipped' },
        { fullName: 'keys are old', status: 'todo' },
      ],
    },
    { name: 'broken.test.ts', status: 'failed', message: 'SyntaxError', assertionResults: [] },
    {
      name: 'hook.test.ts',
      status: 'failed',
      message: 'afterAll hangs',
      assertionResults: [{ fullName: 'fine', status: 'passed', failureMessages: [] }],
    },
  ],
};

const playwright = {
  stats: { expected: 6, unexpected: 1 },
  errors: [],
  suites: [
    {
      specs: [],
      suites: [
        {
          specs: [
            {
              title: 'Buys',
              file: 'purchase.spec.ts',
              line: 7,
              tests: [
                {
                  status: 'unexpected',
                  results: [{ errors: [{ message: '\u001b[31mnot seen\u001b[39m' }] }],
                },
                { status: 'expected', results: [{}] },
                {
                  status: 'skipped',
                  annotations: [{ type: 'skip', description: 'needs root; run: sudo npm test' }],
                  results: [],
                },
              ],
            },
          ],
        },
      ],
    },
  ],
};

test('failed tests and files that do not load are read from a report of Vitest', async () => {
  const report = await read('vitest', vitest);
  expect(report).toMatchObject({ passed: 3 });
  const names = report!.failed.map(({ name }) => name);
  expect(names[0]).toContain('keys.server.test.ts › keys are counted');
  expect(names[1]).toBe('broken.test.ts does not load');
});

test('FO7 a hook that fails is named by its file', async () => {
  const report = await read('vitest', vitest);
  expect(report!.failed[2]).toEqual({
    name: 'hook.test.ts › before or after its tests',
    message: 'afterAll hangs',
  });
});

test('failed journeys are read from a report of Playwright, however deep', async () => {
  const report = await read('playwright', playwright);
  expect(report).toMatchObject({ passed: 6 });
  expect(report!.failed).toMatchObject([{ name: 'purchase.spec.ts:7 › Buys' }]);
});

test('FO8 each test that was skipped is named, with what it needs', async () => {
  expect((await read('vitest', vitest))!.skippedTests).toEqual([
    expect.stringContaining('keys are sealed (needs root: sudo npm test)'),
    expect.stringContaining('keys are old'),
  ]);
  expect((await read('playwright', playwright))!.skippedTests).toEqual([
    'purchase.spec.ts:7 › Buys (needs root; run: sudo npm test)',
  ]);
});

test('no report: the runner crashed', async () => {
  expect(await readReport('vitest', join(folder, 'absent.json'))).toBeUndefined();
});

test('a failure begins with its tests and ends with the end of the output', async () => {
  const output = Array.from({ length: 500 }, (_, line) => `line ${line}`).join('\n');
  const said = describeFailure('server', (await read('vitest', vitest))!.failed, output).split('\n');
  expect(said.slice(1, 5)).toEqual([
    '✗ apps/api/test/keys.server.test.ts › keys are counted',
    '    Error: one too many',
    '✗ broken.test.ts does not load',
    '    SyntaxError',
  ]);
  expect(said.at(-1)).toBe('line 499');
  expect(said.length).toBeLessThan(80);
});

test('colours and calls inside libraries are left out', async () => {
  const { name } = (await read('playwright', playwright))!.failed[0]!;
  const message = '\u001b[31mnot seen\u001b[39m\n    at click (/x/node_modules/y.js:1:2)\n    at own.ts:3:4';
  expect(describeFailure('journeys', [{ name, message }], '').split('\n').slice(1, 4)).toEqual([
    '✗ purchase.spec.ts:7 › Buys',
    '    not seen',
    '        at own.ts:3:4',
  ]);
});
