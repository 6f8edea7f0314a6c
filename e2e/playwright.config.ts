import { isFullRun } from '@fixpoint/testkit/test-gate.ts';
import { defineConfig } from '@playwright/test';
import { executablePath, flags } from './chromium.ts';

/** Journeys with animations: those about motion, and those that most customers take. */
const MOVING = /(navigation|never-blank|purchase|speed)\.spec\.ts$/;

/**
 * Journeys of customers through the real shop in Debian's Chromium, one per promise. Those tagged `@soak` show the same in
 * another language, width or state, or a rare case; only `npm run test:all` runs them.
 */
export default defineConfig({
  testDir: 'journeys',
  globalSetup: './stack.ts',
  ...(!isFullRun && { grepInvert: /@soak/ }),
  outputDir: '../.cache/e2e',
  fullyParallel: true,
  // Two workers keep two cores busy; in the full run two more wait for a timer or a host.
  workers: isFullRun ? 4 : 2,
  // No retries. Time limits end hangs, and hold on a machine with eight other tasks.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  use: {
    viewport: { width: 1280, height: 900 },
    // Where most customers are: prices are in the shop’s own currency.
    timezoneId: 'Asia/Bangkok',
    actionTimeout: 60_000,
    // Recording traces took a fifth of the time. To record a failed journey: `--trace=retain-on-failure`.
    trace: 'off',
    launchOptions: { executablePath, args: flags },
  },
  projects: [
    { name: 'moving', testMatch: MOVING },
    // Without a graphics card the cores draw each frame of an animation: a third of the time of all journeys.
    { name: 'still', testIgnore: MOVING, use: { contextOptions: { reducedMotion: 'reduce' } } },
  ],
});
