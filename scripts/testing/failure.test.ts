import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '@fixpoint/dev-stack/env.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { describeFailure } from './failure.ts';
import { readReport } from './report.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fixpoint-report-'));
});

afterEach(() => rm(folder, { recursive: true }));

async function read(report: unknown) {
  const file = join(folder, 'report.json');
  await writeFile(file, JSON.stringify(report));
  return readReport('playwright', file);
}

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

test('failed journeys are read from nested suites of a Playwright report', async () => {
  const report = await read(playwright);
  expect(report).toMatchObject({ passed: 6 });
  expect(report!.failed).toMatchObject([{ name: 'purchase.spec.ts:7 › Buys' }]);
});

test('FO8 the report names each skipped journey and what it needs', async () => {
  expect((await read(playwright))!.skippedTests).toEqual([
    'purchase.spec.ts:7 › Buys (needs root; run: sudo npm test)',
  ]);
});

test('a missing report means that the runner crashed', async () => {
  expect(await readReport('vitest', join(folder, 'absent.json'))).toBeUndefined();
});

test('a failure lists its tests first, then the end of the output', async () => {
  const output = Array.from({ length: 500 }, (_, line) => `line ${line}`).join('\n');
  const failed = [
    {
      name: join(root, 'apps/api/test/key/keys.server.test.ts › keys are counted'),
      message: 'one too many\n',
    },
    { name: 'broken.test.ts does not load', message: 'SyntaxError' },
  ];
  const said = describeFailure('server', failed, output).split('\n');
  expect(said.slice(1, 5)).toEqual([
    '✗ apps/api/test/key/keys.server.test.ts › keys are counted',
    '    one too many',
    '✗ broken.test.ts does not load',
    '    SyntaxError',
  ]);
  expect(said.at(-1)).toBe('line 499');
  expect(said.length).toBeLessThan(80);
});

test('colours and stack frames of libraries are left out', async () => {
  const { name } = (await read(playwright))!.failed[0]!;
  const message = '\u001b[31mnot seen\u001b[39m\n    at click (/x/node_modules/y.js:1:2)\n    at own.ts:3:4';
  expect(describeFailure('journeys', [{ name, message }], '').split('\n').slice(1, 4)).toEqual([
    '✗ purchase.spec.ts:7 › Buys',
    '    not seen',
    '        at own.ts:3:4',
  ]);
});
