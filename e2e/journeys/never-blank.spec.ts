import { expect, type Page, test } from '@playwright/test';
import { testStack } from '../env.ts';
import { captureFrames } from '../frames.ts';
import { say } from '../texts.ts';

/** A phone on a slow line as Lighthouse simulates it, so that slow parts are visible. */
async function slowPhone(page: Page) {
  await page.setViewportSize({ width: 390, height: 844 });
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 150,
    downloadThroughput: 200_000,
    uploadThroughput: 90_000,
  });
  await session.send('Emulation.setCPUThrottlingRate', { rate: 2 });
}

const screens = [
  ['', 'home.title', 'en'],
  ['/what-is-vpn', 'vpn.title', 'en'],
  ['/order?plan=plus&cycle=12', 'order.title', 'th'],
  ['/auth/login', 'login.title', 'en'],
] as const;

for (const [path, title, language] of screens) {
  test(`FU22 after the headline of ${path.split('?')[0] || 'home'} no frame goes blank (${language})`, {
    tag: '@soak',
  }, async ({ browser, page }) => {
    const t = say(language);
    await slowPhone(page);
    const frames = await captureFrames(browser, page, async () => {
      await page.goto(`${testStack().url}/#/${language}${path}`, { waitUntil: 'commit' });
      await expect(page.getByRole('heading', { level: 1, name: t(title) })).toBeVisible();
      // The program has started: only it has the link above the bar.
      await expect(page.getByRole('link', { name: t('app.skip') })).toBeAttached();
      await page.waitForTimeout(3000);
    });
    const seen = frames.slice(frames.findIndex(({ ink }) => ink > 40));
    expect(seen.length, 'the headline is seen, and then more').toBeGreaterThan(2);
    const headline = seen[0]!.ink;
    // A headline in the shop's own font has slightly different ink than in the fallback font.
    expect(seen.filter(({ ink }) => ink < headline * 0.8)).toEqual([]);
  });
}
