import { expect, test } from '@playwright/test';
import { violationsInBothThemes } from '../axe.ts';
import { testStack } from '../env.ts';
import { freshAddress, passwordLink } from '../mailbox.ts';
import { accountScreens } from '../screens/account.ts';
import { orderScreen } from '../screens/order.ts';
import { subscriptionScreen } from '../screens/subscription.ts';
import { successScreen } from '../screens/success.ts';
import { say } from '../texts.ts';

const t = say('en');

test.use({ reducedMotion: 'reduce' });

// `everywhere.spec.ts` checks every screen as it opens; this file checks what actions reach.

test('A page that does not exist has no serious accessibility violation', { tag: '@soak' }, async ({
  page,
}) => {
  await page.goto(`${testStack().url}/#/en/no-such-page`);
  await expect(page.getByRole('heading', { level: 1, name: t('notFound.title') })).toBeVisible();
  expect(await violationsInBothThemes(page)).toEqual([]);
});

test('The screens from the success page to the keys have no serious accessibility violation', {
  tag: '@soak',
}, async ({ page }) => {
  const email = freshAddress();
  const order = orderScreen(page, t);
  const success = successScreen(page, t);
  const account = accountScreens(page, t);
  await order.open();
  await order.fill(email);
  await order.pay();
  await success.isShown();
  await expect(success.address).toBeVisible();
  expect(await violationsInBothThemes(page)).toEqual([]);

  await account.setPassword(await passwordLink(email));
  await account.openOverview();
  await expect(account.overview).toBeVisible();
  await expect(page.getByRole('link', { name: /Bangkok/ })).toBeVisible();
  expect(await violationsInBothThemes(page)).toEqual([]);

  await page.getByRole('link', { name: /Bangkok/ }).click();
  const subscription = subscriptionScreen(page);
  await subscription.addKey('phone');
  await expect(subscription.row('phone')).toBeVisible();
  expect(await violationsInBothThemes(page)).toEqual([]);
});
