import AxeBuilder from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';
import { testStack } from '../env.ts';
import { freshAddress, passwordLink } from '../mailbox.ts';
import { accountScreens } from '../screens/account.ts';
import { orderScreen } from '../screens/order.ts';
import { subscriptionScreen } from '../screens/subscription.ts';
import { successScreen } from '../screens/success.ts';
import { say } from '../texts.ts';

const t = say('en');

/** Serious faults on what is shown now. The card provider's frames are not ours to judge. */
async function seriousFaults(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).exclude('iframe').analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(node => node.target).join(', ')}`);
}

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(colorScheme, () => {
    test.use({ colorScheme, reducedMotion: 'reduce' });

    for (const path of ['', '/get-started', '/order?plan=duo&cycle=12', '/auth/login', '/no-such-page']) {
      test(`No serious fault on /en${path}`, async ({ page }) => {
        await page.goto(`${testStack().url}/#/en${path}`);
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
        await expect(page.getByRole('status', { name: t('app.loading') })).toHaveCount(0);
        expect(await seriousFaults(page)).toEqual([]);
      });
    }

    test('No serious fault from the success page to the keys', async ({ page }) => {
      const email = freshAddress();
      const order = orderScreen(page, t);
      const success = successScreen(page, t);
      const account = accountScreens(page, t);
      await order.open();
      await order.fill(email);
      await order.pay();
      await success.isShown();
      await expect(success.address).toBeVisible({ timeout: 20_000 });
      expect(await seriousFaults(page)).toEqual([]);

      await account.setPassword(await passwordLink(email));
      await account.logIn();
      await expect(account.subscriptions).toBeVisible();
      await expect(page.getByRole('link', { name: /Bangkok/ })).toBeVisible();
      expect(await seriousFaults(page)).toEqual([]);

      await page.getByRole('link', { name: /Bangkok/ }).click();
      const subscription = subscriptionScreen(page);
      await subscription.addKey('phone');
      await expect(subscription.row('phone')).toBeVisible();
      expect(await seriousFaults(page)).toEqual([]);
    });
  });
}
