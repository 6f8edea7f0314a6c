import { expect, type Page } from '@playwright/test';
import { testStack } from '../env.ts';
import type { Say } from '../texts.ts';

/** Passwords of all journeys. `searched-stop.ts` searches for them. */
export const PASSWORD = 'Correct!horse1';
export const NEW_PASSWORD = 'Better!horse2';
export const WRONG_PASSWORD = 'Wrong!horse1';

/** Records the addresses that a window visits from now on. */
export function addressesOf(page: Page): string[] {
  const addresses: string[] = [];
  page.on('framenavigated', frame => addresses.push(frame.url()));
  return addresses;
}

/** Page object: sign up, codes, passwords, log in, my account. */
export function accountScreens(page: Page, t: Say, language = 'en') {
  const at = (path: string) => `${testStack().url}/#/${language}/${path}`;
  const main = page.getByRole('main');
  return {
    async setPassword(link: string, password = PASSWORD) {
      await page.goto(link);
      await this.fillNewPassword(password);
      await page.getByRole('button', { name: t('setPassword.submit') }).click();
      // Logged in, with the subscription shown.
      await page
        .getByText(/^(\D*)\d+(\.\d+){3}$/)
        .first()
        .waitFor();
    },
    async fillNewPassword(password = PASSWORD) {
      await page.getByLabel(t('setPassword.password'), { exact: true }).fill(password);
      await page.getByLabel(t('setPassword.confirm'), { exact: true }).fill(password);
    },
    openOverview: () => page.goto(at('management/dashboard')),
    openLogin: () => page.goto(at('auth/login')),
    email: page.getByRole('textbox', { name: t('login.email') }),
    password: page.getByLabel(t('login.password'), { exact: true }),
    async logIn(password = PASSWORD) {
      await this.password.fill(password);
      await main.getByRole('button', { name: t('login.submit'), exact: true }).click();
    },
    loginTitle: page.getByRole('heading', { level: 1, name: t('login.title') }),
    /** Screen after login. */
    overview: page.getByRole('heading', { level: 1, name: t('nav.overview') }),

    openSignUp: () => page.goto(at('auth/sign-up')),
    async fillSignUp(email: string, password = PASSWORD) {
      await this.email.fill(email);
      await this.password.fill(password);
      await page.getByLabel(t('setPassword.confirm'), { exact: true }).fill(password);
      await page.getByLabel(t('signUp.agree')).check();
    },
    async signUp(email: string) {
      await this.fillSignUp(email);
      await this.submitSignUp();
      await expect(this.codeTitle).toBeVisible();
    },
    maySignUp: () =>
      expect(main.getByRole('button', { name: t('signUp.submit'), exact: true })).not.toHaveAttribute(
        'aria-busy',
        'true',
      ),
    submitSignUp: () => main.getByRole('button', { name: t('signUp.submit'), exact: true }).click(),
    codeTitle: page.getByRole('heading', { level: 1, name: t('code.title') }),
    code: page.getByLabel(t('code.label'), { exact: true }),
    resend: page.getByRole('button', { name: t('code.resend') }),
    welcome: page.getByRole('heading', { level: 1, name: t('signUp.welcome.title') }),

    openForgot: () => page.goto(at('auth/forgot-password')),
    requestReset: () => main.getByRole('button', { name: t('forgot.submit') }).click(),
    saveNewPassword: () => main.getByRole('button', { name: t('setPassword.submit') }).click(),

    openAccount: () => page.goto(at('management/my-account')),
    accountTitle: page.getByRole('heading', { level: 1, name: t('nav.account') }),
    currentPassword: page.getByLabel(t('account.password.current'), { exact: true }),
    changePassword: main.getByRole('button', { name: t('account.password.start') }),
  };
}
