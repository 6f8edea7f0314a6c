import { expect, test } from '@playwright/test';
import { becomeMember } from '../customer.ts';
import { emailedCode, freshAddress, undoLink } from '../mailbox.ts';
import { overflow } from '../overflow.ts';
import { accountScreens, NEW_PASSWORD, PASSWORD } from '../screens/account.ts';
import { say } from '../texts.ts';

const t = say('en');

test('An email address is changed and undone: the previous session ends, and a new password opens the account', {
  tag: '@soak',
}, async ({ page, browser }) => {
  const { email, account, code } = await becomeMember(page);
  const next = freshAddress();
  await account.openAccount();
  await test.step('the name', async () => {
    await page.getByRole('button', { name: t('account.name.change') }).click();
    await page.getByLabel(t('account.name'), { exact: true }).fill('Anna อันนา');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('main').getByText('Anna อันนา')).toBeVisible();
    await expect(page.getByRole('button', { name: t('account.name.change') })).toBeFocused();
  });
  await page.getByRole('button', { name: t('account.email.change') }).click();
  await page.getByLabel(t('account.email.new')).fill(email);
  await page.getByRole('button', { name: t('forgot.submit') }).click();
  await expect(page.getByText(t('form.email.same'))).toBeVisible();
  await page.getByLabel(t('account.email.new')).fill(next);
  await page.getByRole('button', { name: t('forgot.submit') }).click();
  await expect(account.code).toBeVisible();
  // The phone's browser discards the page while its owner reads the email.
  await page.reload();
  await account.code.fill(await emailedCode(next));
  await expect(page.getByText(t('account.email.changed', { email: next }))).toBeVisible();
  await expect(page.getByRole('main').getByText(next, { exact: true })).toBeVisible();

  const other = await (await browser.newContext({ viewport: { width: 390, height: 844 } })).newPage();
  const elsewhere = accountScreens(other, t);
  await other.goto(await undoLink(email));
  await expect(other.getByText(t('undoEmail.ask', { email }))).toBeVisible();
  await expect(other).not.toHaveURL(/token/);
  expect(await overflow(other)).toEqual([]);
  await other.getByRole('button', { name: t('undoEmail.action') }).click();
  await expect(other.getByText(t('undoEmail.done', { email }))).toBeVisible();
  await expect(account.loginTitle).toBeVisible();

  await other.getByRole('link', { name: t('setPassword.title') }).click();
  await expect(elsewhere.email).toHaveValue(email);
  await elsewhere.requestReset();
  await elsewhere.code.fill(await emailedCode(email, [code]));
  await elsewhere.fillNewPassword(NEW_PASSWORD);
  await elsewhere.saveNewPassword();
  await expect(elsewhere.loginTitle).toBeVisible();
  await elsewhere.email.fill(next);
  await elsewhere.logIn(PASSWORD);
  await expect(other.getByRole('main').getByText(t('errorCode.8005'))).toBeVisible();
  await elsewhere.email.fill(email);
  await elsewhere.logIn(NEW_PASSWORD);
  await expect(elsewhere.overview).toBeVisible();
});
