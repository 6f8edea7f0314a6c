import { createClient } from '@fixpoint/testkit/client.ts';
import { expect, test } from '@playwright/test';
import { delayAnswer } from '../blocked.ts';
import { becomeMember, buyAsGuest } from '../customer.ts';
import { testStack } from '../env.ts';
import { emailedCode, freshAddress, passwordLink } from '../mailbox.ts';
import { accountScreens, NEW_PASSWORD, PASSWORD, WRONG_PASSWORD } from '../screens/account.ts';
import { say } from '../texts.ts';

// An answer on its way when a test ends must not fail it.
test.afterEach(({ page }) => page.unrouteAll({ behavior: 'ignoreErrors' }));

const t = say('en');

test('S11 a customer signs up and changes the password: the other browser is logged out, and the new password logs in', async ({
  page,
  browser,
}) => {
  const { email, account, code } = await becomeMember(page);
  const other = await (await browser.newContext()).newPage();
  const elsewhere = accountScreens(other, t);
  await elsewhere.openLogin();
  await elsewhere.email.fill(email);
  await elsewhere.logIn();
  await expect(elsewhere.overview).toBeVisible();

  await account.openAccount();
  await account.changePassword.click();
  // Reloading the page in the middle keeps the code field.
  await expect(account.code).toBeVisible();
  await page.reload();
  await account.code.fill(await emailedCode(email, [code]));
  await account.currentPassword.fill(WRONG_PASSWORD);
  await account.fillNewPassword(NEW_PASSWORD);
  await account.saveNewPassword();
  await expect(page.getByRole('main').getByText(t('errorCode.8006')).first()).toBeVisible();
  await account.currentPassword.fill(PASSWORD);
  await account.saveNewPassword();
  await expect(page.getByText(t('login.passwordSet'))).toBeVisible();
  await expect(account.email).toHaveValue(email);

  await expect(elsewhere.loginTitle).toBeVisible();
  await account.logIn();
  await expect(page.getByRole('main').getByText(t('errorCode.8005'))).toBeVisible();
  await account.logIn(NEW_PASSWORD);
  await expect(account.overview).toBeVisible();
});

test('S04 the human check of a sign-up is solved while the visitor types: nothing is asked, nothing refused', async ({
  page,
  browser,
}) => {
  const other = await browser.newContext();
  const { email } = await becomeMember(await other.newPage());
  await other.close();
  const seen: string[] = [];
  page.on('response', answer => {
    const path = new URL(answer.url()).pathname;
    if (/humanCheck$|register$/.test(path)) seen.push(`${path.split('/').pop()} ${answer.status()}`);
  });
  const account = accountScreens(page, t);
  await account.openSignUp();
  await expect(account.email).toBeVisible();
  expect(seen).toEqual([]);
  await account.fillSignUp(email);
  await expect.poll(() => seen).toEqual(['humanCheck 200']);
  await account.submitSignUp();
  await expect(page.getByText(t('form.email.exists')).first()).toBeVisible();
  // The next try has its own proof of work.
  await account.email.fill(freshAddress());
  await account.submitSignUp();
  await expect(account.codeTitle).toBeVisible();
  expect(seen).toEqual(['humanCheck 200', 'register 400', 'humanCheck 200', 'register 200']);
});

test('S07 a code ends after five wrong tries; a new code, after the countdown, signs up', {
  tag: '@soak',
}, async ({ page }) => {
  const email = freshAddress();
  const account = accountScreens(page, t);
  await account.openSignUp();
  await account.signUp(email);
  await expect(account.codeTitle).toBeVisible();
  await expect(account.resend).toBeHidden();
  const first = await emailedCode(email);
  for (let count = 1; count <= 5; count += 1) {
    await account.code.fill('');
    await account.code.fill(String((Number(first) + count) % 1_000_000).padStart(6, '0'));
    await expect(page.getByRole('main').getByText(t('form.code.wrong'))).toBeVisible();
    await expect(page.getByRole('button', { name: t('code.submit') })).not.toHaveAttribute(
      'aria-busy',
      'true',
    );
  }
  await account.code.fill(first);
  await expect(page.getByRole('main').getByText(t('errorCode.7007'))).toBeVisible();

  await page.reload();
  await expect(account.codeTitle).toBeVisible();
  await account.resend.click({ timeout: 120_000 });
  const second = await emailedCode(email, [first]);
  await account.code.fill(`${second.slice(0, 3)} ${second.slice(3)}`);
  await expect(account.welcome).toBeVisible();
});

test('S08 U19 a visitor who requests a code too early sees when to request it again; the first code, pasted with a space, signs up', async ({
  page,
}) => {
  const email = freshAddress();
  const account = accountScreens(page, t);
  await account.openSignUp();
  await account.signUp(email);
  // Makes the page forget the countdown.
  await page.evaluate(() => {
    const key = 'flow.signUp';
    const flow = JSON.parse(sessionStorage.getItem(key) ?? '{}');
    sessionStorage.setItem(key, JSON.stringify({ ...flow, resendAt: 0 }));
  });
  await page.reload();
  await account.resend.click();
  await expect(page.getByRole('alert').filter({ hasText: t('errorCode.7005') })).toContainText('GMT+7');
  await expect(account.resend).toBeHidden();
  // U19: pasted as some mail programs show it.
  const code = await emailedCode(email);
  await account.code.fill(`${code.slice(0, 3)} ${code.slice(3)}`);
  await expect(account.welcome).toBeVisible();
});

test('Another email address keeps the other fields; a known address is reported', {
  tag: '@soak',
}, async ({ page, browser }) => {
  const known = await becomeMember(await (await browser.newContext()).newPage());
  const account = accountScreens(page, t);
  await account.openSignUp();
  await account.signUp(freshAddress());
  const stored = await page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }));
  expect(stored).not.toContain(PASSWORD);

  await page.getByRole('button', { name: t('code.changeEmail') }).click();
  await expect(account.password).toHaveValue(PASSWORD);
  await expect(page.getByLabel(t('signUp.agree'))).toBeChecked();
  await account.email.fill(known.email);
  await account.submitSignUp();
  await expect(page.getByText(t('form.email.exists')).first()).toBeVisible();
  await expect(account.email).toHaveValue(known.email);
});

test('FU25 a forgotten password is set again with an emailed code, and the address is typed once', async ({
  page,
  browser,
}) => {
  const { email, code } = await becomeMember(await (await browser.newContext()).newPage());
  const account = accountScreens(page, t);
  await account.openLogin();
  await account.email.fill(email);
  await page.getByRole('link', { name: t('forgot.title') }).click();
  await expect(page.getByRole('heading', { level: 1, name: t('forgot.title') })).toBeVisible();
  await expect(account.email).toHaveValue(email);
  await account.requestReset();
  await account.code.fill(await emailedCode(email, [code]));
  await account.fillNewPassword(NEW_PASSWORD);
  await account.saveNewPassword();
  await expect(page.getByText(t('login.passwordSet'))).toBeVisible();
  await account.logIn(NEW_PASSWORD);
  await expect(account.overview).toBeVisible();
});

test('A form keeps its fields while offline, and continues afterwards', {
  tag: '@soak',
}, async ({ page, context }) => {
  const email = freshAddress();
  const account = accountScreens(page, t);
  await account.openSignUp();
  await account.fillSignUp(email);
  await context.setOffline(true);
  await account.submitSignUp();
  await expect(page.getByText(t('errorCode.9901'))).toBeVisible();
  await expect(account.email).toHaveValue(email);
  await expect(account.password).toHaveValue(PASSWORD);
  await context.setOffline(false);
  await account.submitSignUp();
  await expect(account.codeTitle).toBeVisible();
});

test('A session that ends in the middle of a form returns to it with its fields', async ({
  page,
  context,
}) => {
  const { email, account } = await becomeMember(page);
  await account.openAccount();
  const name = page.getByLabel(t('account.passkeys.name'), { exact: true });
  await page.getByRole('button', { name: t('account.passkeys.add') }).click();
  await name.fill('Blue laptop');
  await context.clearCookies();
  // Pressed at once: the live connection may notice the end first, and the form is gone.
  await page.evaluate(`localStorage.setItem('token', 'expired');
    dispatchEvent(new StorageEvent('storage', { key: 'token', newValue: 'expired' }));
    document.activeElement.form.requestSubmit()`);
  await expect(page.getByText(t('login.over'))).toBeVisible();
  await account.email.fill(email);
  await account.logIn();
  await expect(page).toHaveURL(/my-account$/);
  await expect(name).toHaveValue('Blue laptop');
});

test('S22 a deleted account is logged out at once and cannot log in again', async ({ page, context }) => {
  const { email, account } = await becomeMember(page);
  const second = await context.newPage();
  await accountScreens(second, t).openAccount();
  await expect(accountScreens(second, t).accountTitle).toBeVisible();

  const credit = [{ currency: 'THB', amount: 500_00, goodwill: [] }];
  await page.route('**/v1/payment/stripe/getCard', async route => {
    const response = await route.fetch();
    const answer = await response.json();
    await route.fulfill({ response, json: { ...answer, data: { ...answer.data, credit } } });
  });
  await account.openAccount();
  await page.getByRole('button', { name: t('account.end.delete') }).click();
  const dialog = page.getByRole('dialog', { name: t('account.end.delete.title') });
  await expect(dialog).toContainText(t('account.end.keeps'));
  // What becomes of credit is read before the last press.
  await expect(dialog).toContainText(t('account.end.credit', { amount: 'THB 500.00' }));
  await dialog.getByLabel(t('account.password.current'), { exact: true }).fill(PASSWORD);
  // The live connection may tell of the end before the answer comes.
  const answer = await delayAnswer(page, '**/v1/auth/deleteAccount');
  await dialog.getByRole('button', { name: t('account.end.delete') }).click();
  await expect(second).toHaveURL(/auth\/login$/);
  await expect(page.getByText(t('login.ended.delete'))).toBeVisible();
  answer();
  await expect(page.getByText(t('login.over'))).toBeHidden();

  await account.email.fill(email);
  await account.logIn();
  await expect(page.getByRole('main').getByText(t('errorCode.8005'))).toBeVisible();
});

test('A visitor signs up by keyboard alone', { tag: '@soak' }, async ({ page }) => {
  const email = freshAddress();
  const account = accountScreens(page, t);
  await account.openSignUp();
  await account.email.focus();
  await page.keyboard.type(email);
  await page.keyboard.press('Tab');
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Other!horse1');
  await account.maySignUp();
  await page.keyboard.press('Enter');
  // The summary has the focus; its first link leads to the first invalid field.
  await expect(page.getByRole('alert').filter({ has: page.getByRole('list') })).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByLabel(t('setPassword.confirm'), { exact: true })).toBeFocused();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await account.maySignUp();
  await page.keyboard.press('Enter');
  await expect(account.code).toBeFocused();
  await page.keyboard.type(await emailedCode(email));
  await expect(account.welcome).toBeFocused();
});

test('At 390 px in Thai nothing overflows the page', { tag: '@soak' }, async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await becomeMember(page);
  for (const [screen, title] of [
    ['management/my-account', 'nav.account'],
    ['get-started', 'plans.title'],
  ] as const) {
    await page.goto(`${testStack().url}/#/th/${screen}`);
    await expect(page.locator('html')).toHaveAttribute('lang', 'th-TH');
    await expect(page.getByRole('heading', { level: 1, name: say('th')(title) })).toBeVisible();
    const width = await page.evaluate('document.documentElement.scrollWidth');
    expect(width).toBeLessThanOrEqual(390);
  }
  await page.evaluate(() => localStorage.clear());
  for (const screen of ['auth/login', 'auth/sign-up', 'auth/forgot-password', 'auth/reset-password']) {
    // A fresh document, because this one would still be logged in.
    await page.goto('about:blank');
    await page.goto(`${testStack().url}/#/th/${screen}`);
    // The program's own headline, which the prerendered shell lacks.
    await page.locator('#main h1').waitFor();
    const width = await page.evaluate('document.documentElement.scrollWidth');
    expect(width).toBeLessThanOrEqual(390);
  }
});

test('A double click requests one code; without a connection no request is held back', {
  tag: '@soak',
}, async ({ page, context }) => {
  const { account } = await becomeMember(page);
  const asked: string[] = [];
  page.on('request', request => {
    if (request.url().endsWith('/v1/auth/changePassword/otp/email')) asked.push(request.url());
  });
  await account.openAccount();
  await expect(account.changePassword).toBeVisible();
  await context.setOffline(true);
  await account.changePassword.click();
  await expect(page.locator('#change-password').getByText(t('errorCode.9901'))).toBeVisible();
  await context.setOffline(false);
  await expect(account.changePassword).not.toHaveAttribute('aria-busy', 'true');
  await expect(account.code).toBeHidden();
  asked.length = 0;
  await account.changePassword.dblclick();
  await expect(account.code).toBeVisible();
  expect(asked).toHaveLength(1);
});

test('The address is still there after going back from the emailed code', { tag: '@soak' }, async ({
  page,
}) => {
  const email = freshAddress();
  const account = accountScreens(page, t);
  await account.openForgot();
  await account.email.fill(email);
  await account.requestReset();
  await expect(account.code).toBeVisible();
  await page.goBack();
  await expect(account.email).toHaveValue(email);
});

test('An emailed link works after a reload, and does not get in the way of later visits', {
  tag: '@soak',
}, async ({ page }) => {
  const account = accountScreens(page, t);
  const link = await passwordLink(await buyAsGuest());
  const token = /token=([^&]+)/.exec(link)![1]!;
  const form = (words = t) => page.getByLabel(words('setPassword.password'), { exact: true });
  const kept = () => page.evaluate<string>('JSON.stringify({ ...sessionStorage })');
  const askForCode = async () => {
    await account.openForgot();
    await account.email.fill(freshAddress());
    await account.requestReset();
    await expect(account.code).toBeVisible();
  };

  await test.step('the link works after a reload, also in another language', async () => {
    await page.goto(link);
    await expect(form()).toBeVisible();
    await page.reload();
    await expect(form()).toBeVisible();
    await expect(page).not.toHaveURL(/token/);
    await page.getByRole('button', { name: t('nav.language') }).click();
    await page.getByRole('menuitemradio', { name: 'ไทย' }).click();
    await expect(form(say('th'))).toBeVisible();
    await page.reload();
    await expect(form(say('th'))).toBeVisible();
  });

  await test.step('the link is forgotten when the customer leaves and requests a code', async () => {
    await page.goto('about:blank');
    await askForCode();
    expect(await kept()).not.toContain(token);
    await page.reload();
    await expect(account.code).toBeVisible();
  });

  await test.step('a used link says so and is not stored', async () => {
    const { auth } = createClient(testStack().url, token);
    expect(await auth.setPassword({ body: { password: PASSWORD } })).toMatchObject({ status: 200 });
    await page.goto('about:blank');
    await page.goto(link);
    const dead = page.getByRole('heading', { level: 1, name: t('setPassword.invalid.title') });
    await expect(dead).toBeVisible();
    await expect(page).not.toHaveURL(/token/);
    expect(await kept()).not.toContain(token);
    await page.goto('about:blank');
    await askForCode();
  });
});

for (const language of ['en', 'th'] as const) {
  test(`FU27 the sign-up names the characters that a password must not have (${language})`, {
    tag: '@soak',
  }, async ({ page }) => {
    const words = say(language);
    const account = accountScreens(page, words, language);
    await page.goto(`${testStack().url}/#/${language}/auth/sign-up`);
    await account.fillSignUp(freshAddress(), 'Correct-horse é1');
    await account.submitSignUp();
    const field = page.locator('#password-error');
    await expect(field).toContainText(words('form.password.rule'));
    await expect(field).toContainText(words('form.password.characters', { characters: '- é' }));
    await account.password.fill('Correct horse1!');
    await expect(field).toContainText(words('form.password.space'));
    await account.password.fill(PASSWORD);
    await expect(field).toBeHidden();
  });
}
