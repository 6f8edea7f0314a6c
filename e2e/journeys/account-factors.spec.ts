import { readFile } from 'node:fs/promises';
import { expect, type Page, test } from '@playwright/test';
import { dropAnswer } from '../blocked.ts';
import { becomeMember } from '../customer.ts';
import { accountScreens, addressesOf, PASSWORD, WRONG_PASSWORD } from '../screens/account.ts';
import { say } from '../texts.ts';
import { appCode } from '../totp.ts';

const t = say('en');

const logOut = async (page: Page, email: string) => {
  await page.getByRole('button', { name: email.split('@')[0] }).click();
  await page.getByRole('menuitem', { name: t('nav.logout') }).click();
  await expect(accountScreens(page, t).loginTitle).toBeVisible();
};

/** Starts the set-up of an authenticator app. @returns its secret */
async function beginApp(page: Page): Promise<string> {
  await page.getByRole('button', { name: t('account.totp.setUp') }).click();
  await expect(page.getByRole('img', { name: t('account.totp.qr') })).toBeVisible();
  const letters = page.getByText(/^Secret [A-Z2-7]{4}/);
  return /[A-Z2-7]{4}(?: [A-Z2-7]{4}){7}/.exec((await letters.textContent()) ?? '')?.[0] ?? '';
}

test('S15 an authenticator app is set up, asked for at login, replaced by a recovery code, and turned off', async ({
  page,
}) => {
  const { email, account } = await becomeMember(page);
  await account.openAccount();
  const secret = await beginApp(page);
  await page.getByLabel(t('account.totp.code')).fill(appCode(secret));
  await expect(page.getByText(t('account.recovery.title'))).toBeVisible();
  const codes = await page.getByRole('code').allTextContents();
  expect(codes).toHaveLength(10);
  await page.getByRole('button', { name: t('account.recovery.done') }).click();
  await expect(page.getByText(codes[0]!)).toBeHidden();

  await logOut(page, email);
  await account.email.fill(email);
  await account.logIn();
  const second = page.getByLabel(t('login.secondFactor.label'));
  await second.fill('000000');
  await page.getByRole('button', { name: t('login.secondFactor.submit') }).click();
  await expect(page.getByRole('main').getByText(t('form.code.wrong'))).toBeVisible();
  await second.fill(appCode(secret, 1));
  await second.press('Enter');
  await expect(account.overview).toBeVisible();

  await logOut(page, email);
  await account.email.fill(email);
  await account.logIn();
  await second.fill(codes[0]!);
  await second.press('Enter');
  await expect(account.overview).toBeVisible();

  await account.openAccount();
  await page.getByRole('button', { name: t('account.totp.turnOff') }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('account.totp.turnOff') })
    .click();
  await expect(page.getByRole('button', { name: t('account.totp.setUp') })).toBeVisible();
});

test('S15 an authenticator app whose first code was accepted, but whose answer was lost, is shown as on with its recovery codes', {
  tag: '@soak',
}, async ({ page }) => {
  const { account } = await becomeMember(page);
  await account.openAccount();
  const secret = await beginApp(page);
  await dropAnswer(page, '**/v1/account/confirmTotp');
  const code = page.getByLabel(t('account.totp.code'));
  await code.fill(appCode(secret));
  await expect(page.getByText(t('errorCode.9901'))).toBeVisible();
  await code.fill(appCode(secret, 1));
  await expect(page.getByText(t('account.totp.unseen'))).toBeVisible();
  const renew = page.getByRole('button', { name: t('account.recovery.new') });
  await expect(renew).toBeFocused();
  await renew.click();
  await expect(page.getByRole('code')).toHaveCount(10);
  await page.getByRole('button', { name: t('account.recovery.done') }).click();
  await expect(page.getByText(t('account.totp.unseen'))).toHaveCount(0);
});

test('S15 a customer who leaves the set-up after a lost answer sees that the app is on', {
  tag: '@soak',
}, async ({ page }) => {
  const { account } = await becomeMember(page);
  await account.openAccount();
  const secret = await beginApp(page);
  await dropAnswer(page, '**/v1/account/confirmTotp');
  await page.getByLabel(t('account.totp.code')).fill(appCode(secret));
  await expect(page.getByText(t('errorCode.9901'))).toBeVisible();
  await page
    .locator('#totp')
    .getByRole('button', { name: t('app.cancel') })
    .click();
  await expect(page.getByRole('button', { name: t('account.totp.turnOff') })).toBeVisible();
});

test('S15 a passkey is added, logs in, and is removed', async ({ page }) => {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  const { email, account } = await becomeMember(page);
  await account.openAccount();
  const add = page.getByRole('button', { name: t('account.passkeys.add') });
  await add.click();
  await page.getByLabel(t('account.passkeys.name'), { exact: true }).fill('Work laptop');
  await add.click();
  await expect(page.getByRole('row').filter({ hasText: 'Work laptop' })).toBeVisible();

  await logOut(page, email);
  const other = await page.context().newPage();
  const elsewhere = accountScreens(other, t);
  await elsewhere.openLogin();
  await elsewhere.email.fill(email);
  await elsewhere.logIn();
  await expect(elsewhere.overview).toBeVisible();
  const visited = addressesOf(other);
  await expect(page.getByRole('button', { name: email.split('@')[0] })).toBeVisible();
  await page.getByRole('button', { name: t('login.passkey') }).click();
  await expect(account.overview).toBeVisible();
  // The other window of the same customer keeps working.
  await elsewhere.openAccount();
  await expect(elsewhere.accountTitle).toBeVisible();
  expect(visited.filter(address => address.includes('/auth/'))).toEqual([]);

  await account.openAccount();
  await page.getByRole('button', { name: t('account.remove.label', { name: 'Work laptop' }) }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('account.remove') })
    .click();
  await expect(page.getByRole('row').filter({ hasText: 'Work laptop' })).toBeHidden();
});

test('S24 FU25 the list of sessions marks this device; ending the others logs them out', async ({
  page,
  browser,
}) => {
  const { email, account } = await becomeMember(page);
  const other = await (await browser.newContext()).newPage();
  const elsewhere = accountScreens(other, t);
  await elsewhere.openLogin();
  await elsewhere.email.fill(email);
  await elsewhere.logIn();
  await expect(elsewhere.overview).toBeVisible();

  await account.openAccount();
  const sessions = page.getByRole('table', { name: t('account.sessions.title') });
  await expect(sessions.getByRole('row').filter({ hasText: 'Chrome on Linux' })).toHaveCount(2);
  await expect(sessions.getByRole('row').filter({ hasText: 'GMT+7' })).toHaveCount(2);
  await expect(sessions.getByText(t('account.sessions.this'))).toHaveCount(1);
  await page.getByRole('button', { name: t('account.sessions.endOthers') }).click();
  await expect(sessions.getByRole('row').filter({ hasText: /Linux/ })).toHaveCount(1);
  await expect(elsewhere.loginTitle).toBeVisible();
});

test('S13 the right password still logs in after wrong ones, with an invisible proof of work', {
  tag: '@soak',
}, async ({ page }) => {
  const { email, account } = await becomeMember(page);
  await logOut(page, email);
  // Acts as a new browser: a known one has its own limit.
  await page.context().clearCookies();
  const proofs: string[] = [];
  page.on('request', request => {
    if (request.url().endsWith('/v1/auth/login') && request.postDataJSON().humanCheck)
      proofs.push(request.url());
  });
  await account.email.fill(email);
  for (let count = 0; count < 3; count += 1) {
    await account.logIn(`Wrong!horse${count}`);
    await expect(page.getByRole('main').getByText(t('errorCode.8005'))).toBeVisible();
  }
  await expect(async () => {
    if (!(await account.overview.isVisible())) await account.logIn();
    await expect(account.overview).toBeVisible({ timeout: 30_000 });
  }).toPass({ timeout: 120_000 });
  expect(proofs.length).toBeGreaterThan(0);
});

test("S16 an old session confirms the customer's identity, and the export of their data follows by itself", async ({
  page,
}) => {
  const { email, account } = await becomeMember(page);
  // Answers as the server does once the login is older than five minutes.
  await page.route(
    '**/v1/account/exportData',
    route =>
      route.fulfill({
        status: 403,
        json: { code: '8004', data: { stepUp: { methods: ['password', 'passkey'] } } },
      }),
    { times: 1 },
  );
  await account.openAccount();
  const ask = page.getByRole('button', { name: t('account.data.action') });
  await ask.click();
  const dialog = page.getByRole('dialog', { name: t('stepUp.title') });
  await expect(account.currentPassword).toBeVisible();
  await expect(dialog.getByRole('button', { name: t('stepUp.passkey') })).toBeVisible();
  await account.currentPassword.fill(WRONG_PASSWORD);
  await page.keyboard.press('Enter');
  await expect(dialog.getByText(t('errorCode.8006'))).toBeVisible();
  const download = page.waitForEvent('download');
  await account.currentPassword.fill(PASSWORD);
  await page.keyboard.press('Enter');
  const data = JSON.parse(await readFile(await (await download).path(), 'utf8'));
  expect(data.account.email).toBe(email);
  expect(JSON.stringify(data)).not.toContain(PASSWORD);
  await expect(dialog).toBeHidden();
});

test('S16 a customer who does not want to confirm goes back and sees no error', { tag: '@soak' }, async ({
  page,
}) => {
  const { account } = await becomeMember(page);
  await page.route('**/v1/account/exportData', route =>
    route.fulfill({ status: 403, json: { code: '8004', data: { stepUp: { methods: ['password'] } } } }),
  );
  await account.openAccount();
  const ask = page.getByRole('button', { name: t('account.data.action') });
  await ask.click();
  const dialog = page.getByRole('dialog', { name: t('stepUp.title') });
  await expect(dialog).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(ask).not.toHaveAttribute('aria-busy', 'true');
  await expect(page.getByText(t('errorCode.8004'))).toBeHidden();
});

test('A request for confirmation ends with the session, and the next login does not see it', {
  tag: '@soak',
}, async ({ page, context }) => {
  const { email, account } = await becomeMember(page);
  await account.openAccount();
  await page.route('**/v1/**/*otp*', route =>
    route.fulfill({ status: 403, json: { code: '8004', data: { stepUp: { methods: ['password'] } } } }),
  );
  await page.getByRole('button', { name: t('account.totp.setUp') }).click();
  const question = page.getByRole('dialog', { name: t('stepUp.title') });
  await expect(question).toBeVisible();
  const other = await context.newPage();
  await other.goto(page.url());
  await other.evaluate(`localStorage.removeItem('token')`);
  await expect(account.loginTitle).toBeVisible();
  await page.unrouteAll();
  await account.email.fill(email);
  await account.logIn();
  await expect(account.accountTitle).toBeVisible();
  await expect(page.getByText(t('account.since'))).toBeVisible();
  await expect(question).toBeHidden();
});

test('A request for confirmation that arrives after the customer has left the screen never appears', {
  tag: '@soak',
}, async ({ page }) => {
  const { account } = await becomeMember(page);
  await account.openAccount();
  const answer = Promise.withResolvers<void>();
  const asked = '**/v1/**/*otp*';
  await page.route(asked, async route => {
    await answer.promise;
    await route.fulfill({ status: 403, json: { code: '8004', data: { stepUp: { methods: ['password'] } } } });
  });
  await page.getByRole('button', { name: t('account.totp.setUp') }).click();
  await page
    .getByRole('banner')
    .getByRole('link', { name: t('nav.pricing') })
    .click();
  await expect(page.getByRole('heading', { level: 1, name: t('plans.title') })).toBeVisible();
  const answered = page.waitForResponse(asked);
  answer.resolve();
  await (await answered).finished();
  await account.openAccount();
  await expect(account.accountTitle).toBeVisible();
  await expect(page.getByText(t('account.since'))).toBeVisible();
  await expect(page.getByRole('dialog')).toBeHidden();
});
