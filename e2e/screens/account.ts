import type { Page } from '@playwright/test';
import { testStack } from '../env.ts';
import type { Say } from '../texts.ts';

const PASSWORD = 'Correct!horse1';

/** Set the first password, log in. */
export function accountScreens(page: Page, t: Say, language = 'en') {
  return {
    async setPassword(link: string, password = PASSWORD) {
      await page.goto(link);
      await page.getByLabel(t('setPassword.password'), { exact: true }).fill(password);
      await page.getByLabel(t('setPassword.confirm'), { exact: true }).fill(password);
      await page.getByRole('button', { name: t('setPassword.submit') }).click();
      await page.getByRole('heading', { level: 1, name: t('login.title') }).waitFor();
    },
    openLogin: () => page.goto(`${testStack().url}/#/${language}/auth/login`),
    email: page.getByRole('textbox', { name: t('login.email') }),
    async logIn(password = PASSWORD) {
      await page.getByLabel(t('login.password'), { exact: true }).fill(password);
      await page
        .getByRole('main')
        .getByRole('button', { name: t('login.submit') })
        .click();
    },
    subscriptions: page.getByRole('heading', { level: 1, name: t('subscriptions.title') }),
  };
}
