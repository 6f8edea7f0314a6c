import { variants } from '@fixpoint/testkit/test-gate.ts';
import { expect, type Page, test } from '@playwright/test';
import { untilIdle } from '../blocked.ts';
import { becomeCustomer } from '../customer.ts';
import { testStack } from '../env.ts';
import { freshAddress } from '../mailbox.ts';
import { cards, orderScreen } from '../screens/order.ts';
import { say } from '../texts.ts';

// An answer on its way when a test ends must not fail it.
test.afterEach(({ page }) => page.unrouteAll({ behavior: 'ignoreErrors' }));

const t = say('en');

/**
 * Changes what the shop says to this page alone: the server's own flag would stop the journeys beside
 * this one. Every answer names the status, as those of the server do.
 */
async function shopStatus(page: Page, first: 'NORMAL' | 'MAINTENANCE') {
  let status = first;
  await page.route('**/v1/**', async route => {
    const answer = await route.fetch();
    const headers = { ...answer.headers(), 'shop-status': status };
    if (!route.request().url().includes('getMaintainerStatus'))
      return route.fulfill({ response: answer, headers });
    await route.fulfill({ headers, json: { code: '0000', data: status } });
  });
  return (next: typeof first) => {
    status = next;
  };
}

for (const language of variants(['en', 'th'] as const, 1)) {
  const words = say(language);

  test(`During maintenance the page says so and sells nothing (${language})`, async ({ page }) => {
    await shopStatus(page, 'MAINTENANCE');
    const order = orderScreen(page, words, language);
    await order.open();
    // Above the page, and beside the button that it keeps from working.
    await expect(page.getByText(words('app.maintenance'))).toHaveCount(2);
    await expect(order.payButton).toBeDisabled();
  });

  test(`SP12 a visitor learns of maintenance by any answer, and of its end (${language})`, async ({
    page,
  }) => {
    const become = await shopStatus(page, 'NORMAL');
    await page.clock.install();
    await page.goto(`${testStack().url}/#/${language}/get-started`);
    await expect(page.getByRole('article').first()).toBeVisible();
    const asked = page.waitForResponse('**/v1/order/getMaintainerStatus');
    await page.clock.runFor(5000);
    await asked;
    await expect(page.getByText(words('app.maintenance'))).toHaveCount(0);
    become('MAINTENANCE');
    const order = orderScreen(page, words, language);
    await page.evaluate(`location.hash = '#/${language}/order?plan=solo&cycle=1'`);
    await expect(page.getByText(words('app.maintenance'))).toHaveCount(2);
    await expect(order.payButton).toBeDisabled();
    become('NORMAL');
    await page.evaluate(`location.hash = '#/${language}/auth/sign-up'`);
    await page.evaluate("window.dispatchEvent(new Event('focus'))");
    await expect(page.getByText(words('app.maintenance'))).toHaveCount(0);
  });
}

test('SP12 an order that is refused for maintenance says so and shows it on the whole page @soak', async ({
  page,
}) => {
  const become = await shopStatus(page, 'NORMAL');
  const order = orderScreen(page, t);
  await order.open();
  await order.fill(freshAddress(), cards.good);
  // It begins while Pay is pressed: an earlier answer would disable the button.
  await page.route('**/v1/order/getMetaData', route => {
    become('MAINTENANCE');
    return route.fulfill({
      status: 503,
      headers: { 'shop-status': 'MAINTENANCE' },
      json: { code: '9904' },
    });
  });
  await order.pay();
  await expect(page.getByText(t('app.maintenance'))).toHaveCount(2);
  await expect(page.getByText(t('errorCode.9904')).first()).toBeVisible();
  await expect(order.payButton).toBeDisabled();
});

/** ms: room for a machine that is busy with other tests. */
const atOnce = 30_000;

test('A page with a live connection learns of maintenance at once, and managing continues', async ({
  page,
}) => {
  const become = await shopStatus(page, 'NORMAL');
  let announce: ((status: 'NORMAL' | 'MAINTENANCE') => void) | undefined;
  // The server's part of socket.io: opened, connected, then events.
  await page.routeWebSocket(/\/soc\//, socket => {
    socket.send('0{"sid":"a","upgrades":[],"pingInterval":600000,"pingTimeout":20000,"maxPayload":8192}');
    socket.onMessage(message => {
      if (message !== '40') return;
      socket.send('40{"sid":"b"}');
      announce = status => {
        become(status);
        socket.send(`42${JSON.stringify(['MAINTENANCE', status])}`);
      };
    });
  });
  const { account } = await becomeCustomer(page);
  await expect.poll(() => announce !== undefined).toBe(true);
  // The page polls at the same moment, and that answer is older than the event.
  const asked = Promise.withResolvers<void>();
  const heard = Promise.withResolvers<void>();
  await page.route('**/v1/order/getMaintainerStatus', async route => {
    asked.resolve();
    await heard.promise;
    await route.fulfill({ json: { code: '0000', data: 'NORMAL' } });
  });
  await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))");
  await asked.promise;
  announce!('MAINTENANCE');
  await expect(page.getByText(t('app.maintenance'))).toBeVisible({ timeout: atOnce });
  const answered = page.waitForResponse('**/v1/order/getMaintainerStatus');
  heard.resolve();
  await (await answered).finished();
  await untilIdle(page);
  await expect(page.getByText(t('app.maintenance'))).toBeVisible();
  await expect(account.overview).toBeVisible();
  announce!('NORMAL');
  await expect(page.getByText(t('app.maintenance'))).toBeHidden({ timeout: atOnce });

  // A public page of a customer hears it, too.
  announce = undefined;
  await page.unroute('**/v1/order/getMaintainerStatus');
  await page.goto(`${testStack().url}/#/en/what-is-vpn`);
  await page.reload();
  await expect.poll(() => announce !== undefined).toBe(true);
  announce!('MAINTENANCE');
  await expect(page.getByText(t('app.maintenance'))).toBeVisible({ timeout: atOnce });
});

test('An unreachable shop says so and comes back by itself when asked again', async ({ page }) => {
  await page.route('**/config.json', route => route.abort());
  await page.goto(`${testStack().url}/#/en/get-started`);
  await expect(page.getByRole('heading', { level: 1, name: t('app.fault.title') })).toBeVisible({
    timeout: 20_000,
  });
  await page.unrouteAll();
  await page.getByRole('button', { name: t('app.tryAgain') }).click();
  await expect(page.getByRole('heading', { level: 1, name: t('plans.title') })).toBeVisible();
});

test('Texts of the last visit appear when their server is slow', { tag: '@soak' }, async ({ page }) => {
  await page.goto(`${testStack().url}/#/en/get-started`);
  await expect(page.getByRole('heading', { level: 1, name: t('plans.title') })).toBeVisible();
  // The headline appears before the program has run and stored the texts.
  await expect(page.getByRole('article').first()).toBeVisible();
  await page.route('**/v1/uiText/**', () => undefined);
  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name: t('plans.title') })).toBeVisible();
  await expect(page.getByRole('article').first()).toBeVisible();
});

test('An unreachable shop says so in the language of the last visit', { tag: '@soak' }, async ({ page }) => {
  const thai = say('th');
  await page.goto(`${testStack().url}/#/th/get-started`);
  await expect(page.getByRole('heading', { level: 1, name: thai('plans.title') })).toBeVisible();
  // The headline appears before the program has run and stored the texts.
  await expect(page.getByRole('article').first()).toBeVisible();
  await page.route('**/config.json', route => route.abort());
  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name: thai('app.fault.title') })).toBeVisible({
    timeout: 20_000,
  });
  await page.unrouteAll();
  await page.getByRole('button', { name: thai('app.tryAgain') }).click();
  await expect(page.getByRole('heading', { level: 1, name: thai('plans.title') })).toBeVisible();
});
