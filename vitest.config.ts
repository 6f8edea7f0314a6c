import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Vitest's default leaves one core free, half of a machine with two. */
const maxWorkers = Math.max(2, availableParallelism() - 1);
/** Server tests wait for a gateway, a host or a process more than half of their time. */
const maxServerWorkers = maxWorkers * 2;

/** The longest files run first, so that none begins last on an idle machine. */
const LONG = [
  'purchase-killed',
  'renewal-killed',
  'renewal',
  'refunds',
  'surface',
  'purchase',
  'disputes',
  'withdraw',
  'paypal',
  'cards',
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const index = LONG.findIndex(name => moduleId.endsWith(`/${name}.server.test.ts`));
      return index < 0 ? LONG.length : index;
    };
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}

const FIXED_SEED = 'testkit/src/fixed-seed.ts';
const packages = '**/node_modules/**';

/** A larger young generation: a shop in the test's own process creates much garbage with each call. */
const server = {
  isolate: false,
  setupFiles: ['testkit/src/after-hang.ts', FIXED_SEED],
  globalSetup: ['testkit/src/database.ts'],
  testTimeout: 240_000,
  hookTimeout: 240_000,
  maxWorkers: maxServerWorkers,
  execArgv: ['--max-semi-space-size=64'],
};

/** Tunnel tests mostly wait, each in its own region. */
const tunnel = {
  isolate: false,
  setupFiles: ['testkit/src/after-hang.ts'],
  testTimeout: 240_000,
  hookTimeout: 240_000,
  maxWorkers,
};

/**
 * One project for each kind of test, named by the ending of its files: `*.test.ts` beside the code starts no process and
 * opens no socket; `*.server.test.ts` has real PostgreSQL and HTTP, `*.browser.test.ts` Chromium, `*.tunnel.test.ts` root
 * and network namespaces. `*.soak.test.ts`, the sandbox's own tests and timed tests run in `npm run test:all` only
 * (docs/contribute/testing.md). No test is retried. Timeouts are long enough for a busy machine. Files of a worker share
 * loaded modules (`isolate: false`): loading the shop took a third of the time.
 */
export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    expect: { poll: { timeout: 60_000 } },
    projects: [
      {
        test: {
          name: 'unit',
          isolate: false,
          setupFiles: [FIXED_SEED],
          include: ['{packages,testkit,apps,scripts}/**/*.test.{ts,tsx}'],
          exclude: [packages, '**/*.{server,timing,browser,tunnel,line,soak}.test.ts', 'apps/sandbox/**'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          maxWorkers,
        },
      },
      {
        test: {
          name: 'server',
          include: ['{packages,testkit,apps,scripts,e2e}/**/*.server.test.ts'],
          ...server,
        },
      },
      {
        test: {
          name: 'browser',
          include: ['apps/**/*.browser.test.ts'],
          exclude: [packages],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      { test: { name: 'tunnel', include: ['{apps,scripts}/**/*.tunnel.test.ts'], ...tunnel } },
      {
        test: {
          name: 'unit-soak',
          isolate: false,
          setupFiles: [FIXED_SEED],
          include: ['apps/sandbox/**/*.test.ts', 'apps/**/*.soak.test.ts'],
          exclude: [packages, '**/*.browser.test.ts', '**/*.{server,tunnel,line}.soak.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          maxWorkers,
        },
      },
      {
        test: {
          ...server,
          name: 'server-soak',
          include: ['{packages,apps,scripts,e2e}/**/*.server.soak.test.ts'],
          testTimeout: 600_000,
          hookTimeout: 600_000,
        },
      },
      { test: { name: 'tunnel-soak', include: ['{apps,scripts}/**/*.tunnel.soak.test.ts'], ...tunnel } },
      // Tests that measure a line run alone.
      {
        test: { name: 'line', include: ['{apps,scripts}/**/*.line.soak.test.ts'], ...tunnel, maxWorkers: 1 },
      },
      {
        test: {
          name: 'timing',
          isolate: false,
          include: ['{apps,bench}/**/*.timing.test.ts'],
          exclude: [packages],
          globalSetup: ['testkit/src/database.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          fileParallelism: false,
        },
      },
      {
        test: {
          name: 'bench',
          include: ['bench/test/*.test.ts'],
          exclude: ['**/*.timing.test.ts'],
          testTimeout: 240_000,
          hookTimeout: 120_000,
          maxConcurrency: 3,
          fileParallelism: false,
        },
      },
    ],
  },
});
