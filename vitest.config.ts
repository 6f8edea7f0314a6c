import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** Vitest leaves one core to itself, which on a machine of two is half of it. */
const maxWorkers = Math.max(2, availableParallelism() - 1);

/**
 * Unit tests sit beside the code as `*.test.ts`; server tests (real PostgreSQL, HTTP) as `*.server.test.ts`;
 * `*.browser.test.ts` need Chromium, `*.tunnel.test.ts` root and the network.
 */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{packages,testkit,apps,scripts}/**/*.test.{ts,tsx}'],
          exclude: ['**/node_modules/**', '**/*.{server,browser,tunnel}.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          maxWorkers,
        },
      },
      {
        test: {
          name: 'server',
          include: ['{packages,testkit,apps,scripts,e2e}/**/*.server.test.ts'],
          exclude: ['**/node_modules/**'],
          globalSetup: ['testkit/src/database.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
          maxWorkers,
        },
      },
      {
        test: {
          name: 'browser',
          include: ['apps/**/*.browser.test.ts'],
          exclude: ['**/node_modules/**'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'tunnel',
          include: ['{packages,apps}/**/*.tunnel.test.ts'],
          exclude: ['**/node_modules/**'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
