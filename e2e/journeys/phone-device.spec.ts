import { readFile } from 'node:fs/promises';
import { buyAsVisitor } from '@fixpoint/testkit/buyer.ts';
import { slowness } from '@fixpoint/testkit/slowness.ts';
import { isFullRun, variants } from '@fixpoint/testkit/test-gate.ts';
import { expect, type Locator, test } from '@playwright/test';
import { testStack } from '../env.ts';
import { freshAddress, passwordLink } from '../mailbox.ts';
import { connectNewDevice } from '../new-device.ts';
import { PASSWORD } from '../screens/account.ts';
import { subscriptionScreen } from '../screens/subscription.ts';
import { say } from '../texts.ts';

const t = say('en');

/** Time from the email to the file on an idle machine, without a person's reading and tapping. */
const MOST_MS = 30_000;
/** Taps on the phone's own screens once the file is there: open with the app, and add. */
const IMPORT_TAPS = 2;

const phones = [
  {
    name: 'an iPhone',
    kind: 'ios',
    store: t('download.appStore'),
    connects: false,
    userAgent:
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1',
  },
  {
    name: 'an Android phone',
    kind: 'android',
    store: t('download.googlePlay'),
    // The file is the same for both phones; one of them connects to the internet.
    connects: true,
    userAgent:
      'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36',
  },
] as const;

for (const { name, kind, store, connects, userAgent } of variants(phones, 1)) {
  test.describe(`with ${name}`, () => {
    test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, userAgent });

    const end = connects ? 'file, and on to “connected”,' : 'file';
    test(`FU2 FU3 FU5 a customer gets from the email to the ${end} in at most eight taps, typing nothing but the password`, async ({
      page,
      context,
    }) => {
      const email = freshAddress();
      await buyAsVisitor(testStack(), email);
      // No store is reachable from here.
      await context.route(/apple\.com|google\.com/, route => route.abort());
      const link = await passwordLink(email);
      const busy = isFullRun ? slowness() : 1;
      const began = performance.now();
      let taps = 0;
      let typed = 0;
      const tap = async (what: Locator) => {
        taps += 1;
        await what.tap();
      };

      taps += 1; // the link in the email
      await page.goto(link);
      const password = page.getByLabel(t('setPassword.password'), { exact: true });
      await tap(password);
      typed += 1;
      await password.pressSequentially(PASSWORD);
      // The keyboard's own key leads on to the confirmation.
      await page.getByLabel(t('setPassword.confirm'), { exact: true }).pressSequentially(PASSWORD);
      await tap(page.getByRole('button', { name: t('setPassword.submit') }));

      await expect(page.getByRole('radio', { name: t(`guide.device.${kind}`) })).toBeChecked();
      await tap(page.getByRole('button', { name: t('devices.add') }));
      const sheet = subscriptionScreen(page).sheet(t(`guide.device.${kind}`));
      const opened = context.waitForEvent('page');
      await tap(sheet.getByRole('link', { name: store }));
      await (await opened).close();
      const download = page.waitForEvent('download');
      await tap(sheet.getByRole('button', { name: t('keys.download') }));
      const file = await download;
      expect(file.suggestedFilename()).toBe(`Fixpoint-${kind}.ovpn`);

      const took = performance.now() - began;
      if (isFullRun) expect(took).toBeLessThan(MOST_MS * Math.max(busy, slowness()));
      expect(taps + IMPORT_TAPS).toBeLessThanOrEqual(8);
      expect(typed).toBe(1);
      if (!connects) return;

      const { noRegion } = testStack();
      test.skip(noRegion !== undefined, noRegion);
      await expect(page.getByText(t('connected.no'))).toHaveCount(1);
      const profile = await readFile(await file.path(), 'utf8');
      const device = await connectNewDevice(profile);
      try {
        // The phone's requests now come through the tunnel.
        await page.setExtraHTTPHeaders({ 'x-forwarded-for': await device.seenAddress() });
        await page.reload();
        await expect(page.getByText(t('connected.yes'))).toBeVisible();
        await page.getByRole('button', { name: t('why.look') }).tap();
        await expect(
          page.getByText(t('why.connected', { devices: t(`guide.device.${kind}`) })),
          // For 18 s another device with the same file could still push this one out.
        ).toBeVisible({ timeout: 45_000 });
      } finally {
        await device.stop();
      }
    });
  });
}
