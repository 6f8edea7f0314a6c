import { expect, type Page, test } from '@playwright/test';
import { forbidStorage } from '../blocked.ts';
import { becomeCustomer, becomeMember } from '../customer.ts';
import { testStack } from '../env.ts';
import { accountScreens, addressesOf } from '../screens/account.ts';
import { say } from '../texts.ts';

const t = say('en');

/** Forgets the session, as in a browser without a login. */
async function forgetSession(page: Page) {
  await page.evaluate('localStorage.clear()');
  await page.goto('about:blank');
}

test('S18 S23 three windows with an expired token request one new token, which no script can read', async ({
  page,
  context,
}) => {
  await becomeCustomer(page);
  expect(await page.evaluate(() => localStorage.getItem('refreshToken'))).toBe('');
  const cookie = (await context.cookies()).find(each => /refresh/i.test(each.name));
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict' });
  let refreshes = 0;
  context.on('request', request => {
    if (request.url().endsWith('/v1/auth/refresh')) refreshes += 1;
  });
  await page.evaluate(() => localStorage.setItem('token', 'expired'));
  const list = `${testStack().url}/#/en/management/subscription`;
  const windows = await Promise.all([context.newPage(), context.newPage(), context.newPage()]);
  await Promise.all(windows.map(each => each.goto(list)));
  for (const each of windows) await expect(each.getByRole('link', { name: /Bangkok/ })).toBeVisible();
  expect(refreshes).toBe(1);
});

test('Logging out in one window logs out all; a deep link leads back after login', async ({
  page,
  context,
}) => {
  const { email, account } = await becomeCustomer(page);
  await page.getByRole('link', { name: /Bangkok/ }).click();
  await expect(page).toHaveURL(/subscription\/.+/);
  const deep = page.url();
  const other = await context.newPage();
  await other.goto(deep);
  await expect(other.getByRole('heading', { name: t('devices.title'), exact: true })).toBeVisible();

  await page.getByRole('button', { name: email.split('@')[0] }).click();
  await page.getByRole('menuitem', { name: t('nav.logout') }).click();
  await expect(account.loginTitle).toBeVisible();
  await expect(other).toHaveURL(/auth\/login$/);

  await page.goto(deep);
  await expect(page).toHaveURL(/auth\/login$/);
  await account.email.fill(email);
  await account.logIn();
  await expect(page).toHaveURL(deep);
});

test('A customer who logs in after another customer did in a second window is shown as themselves in both', {
  tag: '@soak',
}, async ({ page, context }) => {
  const { email: anna } = await becomeMember(page);
  await forgetSession(page);
  const { email: ben, account } = await becomeMember(page);
  await forgetSession(page);
  await account.openLogin();
  const other = await context.newPage();
  const elsewhere = accountScreens(other, t);
  await elsewhere.openLogin();
  await elsewhere.email.fill(anna);
  await elsewhere.logIn();
  await expect(other.getByRole('button', { name: anna.split('@')[0] })).toBeVisible();
  await account.email.fill(ben);
  await account.logIn();
  await expect(page.getByRole('button', { name: ben.split('@')[0] })).toBeVisible();
  await expect(other.getByRole('button', { name: anna.split('@')[0] })).toHaveCount(0);
  await elsewhere.openOverview();
  await expect(other.getByRole('button', { name: ben.split('@')[0] })).toBeVisible();
});

test("A customer who logs in again in one window continues in the others; another customer's login closes them all", {
  tag: '@soak',
}, async ({ page, context }) => {
  const { email: anna } = await becomeMember(page);
  await forgetSession(page);
  const { email: ben } = await becomeMember(page);
  await forgetSession(page);
  const open = (page: Page) => ({ page, ...accountScreens(page, t) });
  const first = open(page);
  const again = open(await context.newPage());
  const last = open(await context.newPage());
  const menu = ({ page }: { page: Page }, email: string) =>
    page.getByRole('button', { name: email.split('@')[0] });
  for (const each of [first, again, last]) await each.openLogin();

  await first.email.fill(anna);
  await first.logIn();
  await expect(first.overview).toBeVisible();
  const visited = addressesOf(first.page);
  await expect(menu(again, anna)).toBeVisible();
  await again.email.fill(anna);
  await again.logIn();
  await expect(again.overview).toBeVisible();
  await first.page
    .getByRole('link', { name: t('nav.account'), exact: true })
    .first()
    .click();
  await expect(first.accountTitle).toBeVisible();
  await expect(first.page.getByText(t('account.since'))).toBeVisible();
  expect(visited.filter(address => address.includes('/auth/'))).toEqual([]);

  await expect(menu(last, anna)).toBeVisible();
  await last.email.fill(ben);
  await last.logIn();
  await expect(last.overview).toBeVisible();
  for (const each of [first, again]) {
    await expect(each.page).not.toHaveURL(/management/);
    await expect(menu(each, ben)).toBeVisible();
    await expect(menu(each, anna)).toHaveCount(0);
  }
});

test('A wrong password says so and keeps the address', { tag: '@soak' }, async ({ page }) => {
  const account = accountScreens(page, t);
  await account.openLogin();
  await account.email.fill('nobody@example.com');
  await account.logIn('Wrong!horse1');
  const alert = page.getByRole('alert').filter({ hasText: t('login.failed') });
  await expect(alert).toContainText(t('errorCode.8005'));
  await expect(account.email).toHaveValue('nobody@example.com');
});

test('In a browser without storage the session lasts as long as the page', { tag: '@soak' }, async ({
  page,
}) => {
  await forbidStorage(page);
  const { account } = await becomeMember(page);
  let asked = 0;
  const renewed = page.waitForResponse('**/v1/auth/refresh');
  // Only the next page requests this.
  await page.route('**/v1/account/sessions', route => {
    asked += 1;
    return asked === 1 ? route.fulfill({ status: 401, json: { code: '8001' } }) : route.continue();
  });
  await page.evaluate(`location.hash = '#/en/management/my-account'`);
  await expect(account.accountTitle).toBeVisible();
  await renewed;
  await expect(page.getByText(t('account.since'))).toBeVisible();
  await expect.poll(() => asked).toBe(2);
});

test('SP19 a definite refusal of the profile or the configuration ends the session', async ({ page }) => {
  const { account } = await becomeMember(page);
  const token = () => page.evaluate(() => localStorage.getItem('token'));
  await page.route('**/v1/auth/profile', route =>
    route.fulfill({ status: 400, json: { code: '6001', message: 'userNotFound' } }),
  );
  await page.goto(`${testStack().url}/#/en/management/my-account`);
  await page.reload();
  await expect(account.loginTitle).toBeVisible();
  expect(await token()).toBeNull();

  await page.evaluate(() => localStorage.setItem('token', 'kept'));
  await page.route('**/config.json', route => route.fulfill({ status: 403, body: '' }));
  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name: t('app.fault.title') })).toBeVisible();
  expect(await token()).toBeNull();
});
