import AxeBuilder from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';
import { becomeMember } from '../customer.ts';
import { testStack } from '../env.ts';
import { accountScreens } from '../screens/account.ts';
import { say } from '../texts.ts';

const t = say('en');

async function faults(page: Page) {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations.filter(({ impact }) => impact === 'serious' || impact === 'critical').map(({ id }) => id);
}

for (const colorScheme of ['light', 'dark'] as const) {
  test(`No serious fault from signing up to my account (${colorScheme})`, async ({ page }) => {
    // Each look at a page takes seconds.
    test.setTimeout(120_000);
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const account = accountScreens(page, t);
    await account.openForgot();
    await expect(page.getByRole('heading', { level: 1, name: t('forgot.title') })).toBeVisible();
    expect(await faults(page)).toEqual([]);
    await account.openSignUp();
    await account.submitSignUp();
    await expect(page.getByText(t('signUp.agree.required')).first()).toBeVisible();
    expect(await faults(page)).toEqual([]);

    await becomeMember(page);
    expect(await faults(page)).toEqual([]);
    await page.goto(`${testStack().url}/#/en/management/my-account`);
    await account.changePassword.click();
    await page.getByRole('button', { name: t('account.totp.setUp') }).click();
    await expect(page.getByRole('img', { name: t('account.totp.qr') })).toBeVisible();
    await expect(account.code).toBeVisible();
    expect(await faults(page)).toEqual([]);
    await page.getByRole('button', { name: t('account.end.delete') }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    expect(await faults(page)).toEqual([]);
  });
}
