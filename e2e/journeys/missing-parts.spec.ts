import { expect, type Page, test } from '@playwright/test';
import { countLoads, forbidStorage } from '../blocked.ts';
import { becomeMember } from '../customer.ts';
import { testStack } from '../env.ts';
import { freshAddress } from '../mailbox.ts';
import { accountScreens } from '../screens/account.ts';
import { orderScreen } from '../screens/order.ts';
import { scanScreen } from '../screens/scan.ts';
import { say } from '../texts.ts';

const t = say('en');

test('A missing part of the page is fetched again by one reload', async ({ page }) => {
  const loads = countLoads(page);
  await page.route(/\/assets\/order-[^/]*\.js$/, route => (loads() < 2 ? route.abort() : route.continue()));
  await page.goto(`${testStack().url}/#/en/get-started`);
  await page.getByRole('link', { name: t('plans.choose', { plan: t('plans.name.solo') }) }).click();
  // Not the headline of the prerendered shell, which appears before any part of the program.
  await expect(
    page.locator('#main').getByRole('heading', { level: 1, name: t('order.title') }),
  ).toBeVisible();
  expect(loads()).toBe(2);
});

test('A part that stays missing ends in a plain message instead of endless reloads @soak', async ({
  page,
}) => {
  await page.route(/\/assets\/order-[^/]*\.js$/, route => route.abort());
  await page.goto(`${testStack().url}/#/en/get-started`);
  await page.getByRole('link', { name: t('plans.choose', { plan: t('plans.name.solo') }) }).click();
  await expect(page.getByRole('heading', { level: 1, name: t('app.error.title') })).toBeVisible();
});

test('A missing layout leaves the bar, and other screens still open', { tag: '@soak' }, async ({ page }) => {
  await page.route(/\/assets\/login-[^/]*\.js$/, route => route.abort());
  await page.goto(`${testStack().url}/#/en/auth/login`);
  await expect(page.getByRole('heading', { level: 1, name: t('app.error.title') })).toBeVisible();
  const bar = page.getByRole('banner');
  await bar.getByRole('link', { name: t('nav.pricing') }).click();
  await expect(page.getByRole('heading', { level: 1, name: t('plans.title') })).toBeVisible();
});

test('A missing side part affects nothing else on its screen', { tag: '@soak' }, async ({ page }) => {
  await page.route(/\/assets\/(shop-footer|legal-dialog)-[^/]*\.js$/, route => route.abort());
  await page.goto(`${testStack().url}/#/en/get-started`);
  await expect(page.getByText(t('errorCode.9901'))).toBeVisible();
  await expect(page.getByRole('article').first()).toBeVisible();

  await page.goto(`${testStack().url}/#/en/auth/sign-up`);
  const email = page.getByLabel(t('login.email'));
  await email.fill('kept@example.com');
  await expect(page.getByText(t('errorCode.9901'))).toBeHidden();
  await page.getByRole('button', { name: t('footer.terms') }).click();
  await expect(page.getByText(t('errorCode.9901'))).toBeVisible();
  await expect(email).toHaveValue('kept@example.com');
});

test('A missing dialog closes, is reported, and affects nothing else', { tag: '@soak' }, async ({ page }) => {
  await page.route(/\/assets\/dialog-panel-[^/]*\.js$/, route => route.abort());
  const { account } = await becomeMember(page);
  await account.openAccount();
  const open = page.getByRole('button', { name: t('account.end.disable') });
  const missed = page.getByText(t('errorCode.9901'));
  await open.click();
  await expect(missed).toBeVisible();
  await expect(account.accountTitle).toBeVisible();
  // A message stays under the pointer, and it may have appeared under the button.
  await page.mouse.move(0, 0);
  await expect(missed).toBeHidden();
  await open.click();
  await expect(missed).toBeVisible();
  await page.unrouteAll();
  // Chrome up to 150 keeps a failed import for the life of the page.
  await page.reload();
  await open.click();
  await expect(page.getByRole('dialog')).toBeVisible();
});

test('A code that could not be drawn is drawn after a reload', { tag: '@soak' }, async ({ page }) => {
  const drawing = /\/assets\/qr-drawing-[^/]*\.js$/;
  await page.route(drawing, route => route.abort());
  const scan = scanScreen(page, t, 'promptpay');
  await scan.ask(freshAddress());
  await expect(page.getByText(t('errorCode.9901'))).toBeVisible();
  await page.unroute(drawing);
  await page.reload();
  await expect(scan.code).toBeVisible();
});

test('Without a network the page stays, and its requests are repeated when the network is back', async ({
  page,
}) => {
  const loads = countLoads(page);
  await page.goto(`${testStack().url}/#/en/auth/sign-up`);
  const email = page.getByLabel(t('login.email'));
  await email.fill('patient@example.com');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.context().setOffline(true);
  await page.getByRole('button', { name: t('nav.menu'), exact: true }).click();
  await expect(page.getByText(t('app.offline'))).toBeVisible();
  await expect(email).toHaveValue('patient@example.com');
  await page.context().setOffline(false);
  await expect(page.getByRole('dialog')).toContainText(t('nav.pricing'));
  await expect(email).toHaveValue('patient@example.com');
  expect(loads()).toBe(1);
});

test('A customer far down a page sees that the network is gone, and that it is back', {
  tag: '@soak',
}, async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${testStack().url}/#/en/get-started`);
  await page.locator('#FAQ summary').last().scrollIntoViewIfNeeded();
  await page.context().setOffline(true);
  await expect(page.getByText(t('app.offline'))).toBeInViewport();
  await page.context().setOffline(false);
  await expect(page.getByText(t('app.offline'))).toBeHidden();
});

test('Card fields that do not load can be retried, and the form keeps its fields', async ({ page }) => {
  const script = `${testStack().sandboxUrl}/v3/`;
  await page.route(script, route => route.abort());
  const order = orderScreen(page, t);
  await order.open();
  await order.email.fill('patient@example.com');
  const again = page.getByRole('button', { name: t('app.tryAgain') });
  await expect(again).toBeVisible();
  await page.unroute(script);
  await again.click();
  await order.fillCard('4242424242424242');
  await expect(order.email).toHaveValue('patient@example.com');
});

/** Drops the first request for a file; the next ones succeed. @returns the number of requests */
async function loseFirst(page: Page, file: RegExp) {
  let asked = 0;
  await page.route(file, route => {
    asked += 1;
    return asked === 1 ? route.abort() : route.continue();
  });
  return () => asked;
}

test('A program or style sheet that was lost is requested again', { tag: '@soak' }, async ({ page }) => {
  const programs = await loseFirst(page, /\/assets\/[^/]*\.js$/);
  const sheets = await loseFirst(page, /\/assets\/[^/]*\.css$/);
  await page.goto(`${testStack().url}/#/en/auth/login`);
  await expect(page.getByRole('heading', { level: 1, name: t('login.title') })).toBeVisible();
  await expect(page.locator('body')).toHaveCSS('font-family', /Hanken/);
  // Only the program adds the link above the bar.
  await expect(page.getByRole('link', { name: t('app.skip') })).toBeAttached();
  expect(programs()).toBeGreaterThan(1);
  expect(sheets()).toBeGreaterThan(1);
});

test("Without the live connection's part the page does not reload", { tag: '@soak' }, async ({ page }) => {
  const { account } = await becomeMember(page);
  const loads = countLoads(page);
  let missed = 0;
  // The bundler names it after the library's file, so its content identifies it.
  await page.route(/\/assets\/esm-[^/]*\.js$/, route => {
    missed += 1;
    return route.abort();
  });
  await page.evaluate(`location.hash = '#/en/management/my-account'`);
  await expect(account.accountTitle).toBeVisible();
  await expect.poll(() => missed).toBeGreaterThan(0);
  // The part is retried meanwhile; browsers up to Chrome 150 then answer from their cache.
  await page.waitForTimeout(3_000);
  await expect(account.accountTitle).toBeVisible();
  expect(loads()).toBe(0);
});

test('A missing screen does not reload the page endlessly in a browser without storage', {
  tag: '@soak',
}, async ({ page }) => {
  await forbidStorage(page);
  await page.route(/\/assets\/login-[^/]*\.js$/, route => route.abort());
  const loads = countLoads(page);
  await page.goto(`${testStack().url}/#/en/auth/login`);
  await expect(page.getByRole('heading', { level: 1, name: t('app.error.title') })).toBeVisible();
  expect(loads()).toBe(1);
});

const forbidden = [
  ['by the browser', (page: Page) => page.addInitScript('Worker = class { constructor() { throw 0; } }')],
  ['by the network', (page: Page) => page.route(/worker[^/]*\.js$/, route => route.abort())],
] as const;

for (const [how, forbid] of forbidden) {
  test(`A visitor signs up in a browser that forbids workers ${how}`, { tag: '@soak' }, async ({ page }) => {
    await forbid(page);
    const account = accountScreens(page, t);
    await account.openSignUp();
    await account.signUp(freshAddress());
  });
}
