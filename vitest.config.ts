import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { type LongSuite, longFiles, notToday } from './testkit/src/in-turn.ts';

/** Vitest leaves one core to itself, which on a machine of two is half of it. */
const maxWorkers = Math.max(2, availableParallelism() - 1);
/** Server tests wait for a provider, a host or a process more than half of their time. */
const maxServerWorkers = maxWorkers * 2;

const LONG = [...longFiles('server'), ...longFiles('tunnel')];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const index = LONG.findIndex(name => moduleId.endsWith(`/${name}`));
      return index < 0 ? LONG.length : index;
    };
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}

/** Other folders, and what has its turn on another day. */
const left = (suite: LongSuite) => ['**/node_modules/**', ...notToday(suite).map(name => `**/${name}`)];

/**
 * Unit tests sit beside the code as `*.test.ts`; server tests (real PostgreSQL, HTTP) as `*.server.test.ts`;
 * `*.timing.test.ts` measure, and have the machine to themselves; `*.browser.test.ts` need Chromium,
 * `*.tunnel.test.ts` root and the network, and `*.line.test.ts` both with the machine to themselves. Nothing is tried
 * twice. Limits of time end what hangs: they hold on a machine that has eight other things to do. What one file has loaded
 * the next of its worker shares: loading the shop took a third of the time. Each has a shop, a database and a region of its
 * own all the same.
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
          include: ['{packages,testkit,apps,scripts}/**/*.test.{ts,tsx}'],
          exclude: ['**/node_modules/**', '**/*.{server,timing,browser,tunnel,line}.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          maxWorkers,
        },
      },
      {
        test: {
          name: 'server',
          isolate: false,
          include: ['{packages,testkit,apps,scripts,e2e}/**/*.server.test.ts'],
          exclude: left('server'),
          setupFiles: ['testkit/src/after-hang.ts'],
          globalSetup: ['testkit/src/database.ts'],
          testTimeout: 240_000,
          hookTimeout: 240_000,
          maxWorkers: maxServerWorkers,
          // A shop in the test's own process leaves much behind with each call: with more room it is swept less often.
          execArgv: ['--max-semi-space-size=64'],
        },
      },
      {
        test: {
          name: 'timing',
          isolate: false,
          include: ['{apps,bench}/**/*.timing.test.ts'],
          exclude: ['**/node_modules/**'],
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
      {
        test: {
          name: 'browser',
          include: ['apps/**/*.browser.test.ts'],
          exclude: ['**/node_modules/**'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      ...['tunnel', 'line'].map(name => ({
        test: {
          name,
          isolate: false,
          include: [`{packages,apps,scripts}/**/*.${name}.test.ts`],
          exclude: left('tunnel'),
          setupFiles: ['testkit/src/after-hang.ts'],
          testTimeout: 240_000,
          hookTimeout: 240_000,
          // They wait more than they work, each in a region of its own; what measures a line has the machine to itself.
          maxWorkers: name === 'tunnel' ? maxWorkers : 1,
        },
      })),
    ],
  },
});
