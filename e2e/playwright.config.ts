import { defineConfig } from '@playwright/test';
import { executablePath, flags } from './chromium.ts';

/** Journeys of customers through the real shop, in Debian's Chromium. */
export default defineConfig({
  testDir: 'journeys',
  globalSetup: './stack.ts',
  outputDir: '../.cache/e2e',
  fullyParallel: true,
  workers: 2,
  // Browsers, a shop and a network share two cores: what passes only at the second try is counted and said.
  retries: 1,
  timeout: 45_000,
  expect: { timeout: 10_000 },
  use: {
    viewport: { width: 1280, height: 900 },
    actionTimeout: 10_000,
    trace: { mode: 'retain-on-failure', screenshots: false },
    launchOptions: { executablePath, args: flags },
  },
});
