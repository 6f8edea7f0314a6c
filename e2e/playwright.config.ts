import { isFullRun } from '@fixpoint/testkit/test-gate.ts';
import { defineConfig } from '@playwright/test';
import { executablePath, flags } from './chromium.ts';

/** Journeys that look at what moves, and those that most customers take: in their browsers it moves. */
const MOVING = /(navigation|never-blank|phone|purchase|speed)\.spec\.ts$/;

/**
 * Journeys of customers through the real shop, in Debian's Chromium: one for each promise. Those tagged `@soak` show the same
 * in another language, width or state, or a rare case; `npm run test:all` runs them as well.
 */
export default defineConfig({
  testDir: 'journeys',
  globalSetup: './stack.ts',
  ...(!isFullRun && { grepInvert: /@soak/ }),
  outputDir: '../.cache/e2e',
  fullyParallel: true,
  // On two cores two are at work; of the full run two wait for a timer or a host meanwhile.
  workers: isFullRun ? 4 : 2,
  // Nothing is tried twice. Limits of time end what hangs: they hold on a machine that has eight other things to do.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  use: {
    viewport: { width: 1280, height: 900 },
    actionTimeout: 60_000,
    // Recording what nobody will look at took a fifth of the time. Of a journey that failed: `--trace=retain-on-failure`.
    trace: 'off',
    launchOptions: { executablePath, args: flags },
  },
  projects: [
    { name: 'moving', testMatch: MOVING },
    // Without a graphics card each frame of a motion is drawn by the cores: a third of the time of all journeys.
    { name: 'still', testIgnore: MOVING, use: { contextOptions: { reducedMotion: 'reduce' } } },
  ],
});
