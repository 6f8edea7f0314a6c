import { defineConfig } from '@playwright/test';
import { executablePath, flags } from './chromium.ts';

/** Journeys of customers through the real shop, in Debian's Chromium. */
export default defineConfig({
  testDir: 'journeys',
  globalSetup: './stack.ts',
  outputDir: '../.cache/e2e',
  fullyParallel: true,
  workers: 2,
  // Nothing is tried twice. Limits of time end what hangs: they hold on a machine that has eight other things to do.
  timeout: 120_000,
  expect: { timeout: 30_000 },
  use: {
    viewport: { width: 1280, height: 900 },
    actionTimeout: 30_000,
    trace: { mode: 'retain-on-failure', screenshots: false },
    launchOptions: { executablePath, args: flags },
  },
});
