import { expect, test } from '@playwright/test';
import { violationsInBothThemes } from '../axe.ts';
import { becomeMember } from '../customer.ts';
import { testStack } from '../env.ts';
import { accountScreens } from '../screens/account.ts';
import { say } from '../texts.ts';

const t = say('en');

test.use({ reducedMotion: 'reduce' });

test('The screens from sign-up to the account have no serious accessibility violation', {
  tag: '@soak',
}, async ({ page }) => {
  const account = accountScreens(page, t);
  await account.openForgot();
  await expect(page.getByRole('heading', { level: 1, name: t('forgot.title') })).toBeVisible();
  expect(await violationsInBothThemes(page)).toEqual([]);
  await account.openSignUp();
  await account.submitSignUp();
  await expect(page.getByText(t('signUp.agree.required')).first()).toBeVisible();
  expect(await violationsInBothThemes(page)).toEqual([]);

  await becomeMember(page);
  expect(await violationsInBothThemes(page)).toEqual([]);
  await page.goto(`${testStack().url}/#/en/management/my-account`);
  await account.changePassword.click();
  await page.getByRole('button', { name: t('account.totp.setUp') }).click();
  await expect(page.getByRole('img', { name: t('account.totp.qr') })).toBeVisible();
  await expect(account.code).toBeVisible();
  expect(await violationsInBothThemes(page)).toEqual([]);
  await page.getByRole('button', { name: t('account.end.delete') }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  expect(await violationsInBothThemes(page)).toEqual([]);
});
