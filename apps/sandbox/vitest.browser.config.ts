import { defineConfig } from 'vitest/config';

/** The tests that drive Chromium: `vitest run --config apps/sandbox/vitest.browser.config.ts`. */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['src/**/*.browser.test.ts'],
    testTimeout: 15_000,
    hookTimeout: 60_000,
  },
});
