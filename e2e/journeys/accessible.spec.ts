import { expect, test } from '@playwright/test';
import { faultsByDayAndNight } from '../axe.ts';
import { testStack } from '../env.ts';
import { freshAddress, passwordLink } from '../mailbox.ts';
import { accountScreens } from '../screens/account.ts';
import { orderScreen } from '../screens/order.ts';
import { subscriptionScreen } from '../screens/subscription.ts';
import { successScreen } from '../screens/success.ts';
import { say } from '../texts.ts';

const t = say('en');

test.use({ reducedMotion: 'reduce' });

// Every screen as it is opened is looked at by `everywhere.spec.ts`; here what is reached by doing something.

test('No serious fault on a page that does not exist', { tag: '@soak' }, async ({ page }) => {
  await page.goto(`${testStack().url}/#/en/no-such-page`);
  await expect(page.getByRole('heading', { level: 1, name: t('notFound.title') })).toBeVisible();
  expect(await faultsByDayAndNight(page)).toEqual([]);
});

test('No serious fault from the success page to the keys', { tag: '@soak' }, async ({ page }) => {
  const email = freshAddress();
  const order = orderScreen(page, t);
  const success = successScreen(page, t);
  const account = accountScreens(page, t);
  await order.open();
  await order.fill(email);
  await order.pay();
  await success.isShown();
  await expect(success.address).toBeVisible();
  expect(await faultsByDayAndNight(page)).toEqual([]);

  await account.setPassword(await passwordLink(email));
  await account.openOverview();
  await expect(account.overview).toBeVisible();
  await expect(page.getByRole('link', { name: /Bangkok/ })).toBeVisible();
  expect(await faultsByDayAndNight(page)).toEqual([]);

  await page.getByRole('link', { name: /Bangkok/ }).click();
  const subscription = subscriptionScreen(page);
  await subscription.addKey('phone');
  await expect(subscription.row('phone')).toBeVisible();
  expect(await faultsByDayAndNight(page)).toEqual([]);
});
