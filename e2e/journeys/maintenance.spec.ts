import { expect, test } from '@playwright/test';
import { untilIdle } from '../blocked.ts';
import { becomeCustomer } from '../customer.ts';
import { testStack } from '../env.ts';
import { orderScreen } from '../screens/order.ts';
import { say } from '../texts.ts';

const t = say('en');

test('During maintenance the page says so and sells nothing', async ({ page }) => {
  // The server's own flag would stop the other journeys.
  await page.route('**/v1/order/getMaintainerStatus', route =>
    route.fulfill({ json: { code: '0000', data: 'MAINTENANCE' } }),
  );
  const order = orderScreen(page, t);
  await order.open();
  // Above the page, and beside the disabled button.
  await expect(page.getByText(t('app.maintenance'))).toHaveCount(2);
  await expect(order.payButton).toBeDisabled();
});

test('A customer who returns to the page learns of maintenance at once', { tag: '@soak' }, async ({
  page,
}) => {
  let status = 'NORMAL';
  await page.route('**/v1/order/getMaintainerStatus', route =>
    route.fulfill({ json: { code: '0000', data: status } }),
  );
  const order = orderScreen(page, t);
  await order.open();
  await expect(order.payButton).toBeVisible();
  await expect(page.getByText(t('app.maintenance'))).toHaveCount(0);
  status = 'MAINTENANCE';
  await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))");
  await expect(page.getByText(t('app.maintenance')).first()).toBeVisible();
  await expect(order.payButton).toBeDisabled();
});

/** ms. Without a live connection it takes up to a minute; this leaves time for a busy machine. */
const atOnce = 30_000;

test('A page with a live connection learns of maintenance at once, and managing continues', async ({
  page,
}) => {
  let announce: ((status: string) => void) | undefined;
  // The server's part of socket.io: opened, connected, then events.
  await page.routeWebSocket(/\/soc\//, socket => {
    socket.send('0{"sid":"a","upgrades":[],"pingInterval":600000,"pingTimeout":20000,"maxPayload":8192}');
    socket.onMessage(message => {
      if (message !== '40') return;
      socket.send('40{"sid":"b"}');
      announce = status => socket.send(`42${JSON.stringify(['MAINTENANCE', status])}`);
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
