import { expect, test } from '@playwright/test';
import { testStack } from '../env.ts';
import { orderScreen } from '../screens/order.ts';
import { say } from '../texts.ts';

const t = say('en');

test('During maintenance the page says so and sells nothing', async ({ page }) => {
  // The server's own flag would stop the journeys beside this one.
  await page.route('**/v1/order/getMaintainerStatus', route =>
    route.fulfill({ json: { code: '0000', data: 'MAINTENANCE' } }),
  );
  const order = orderScreen(page, t);
  await order.open();
  await expect(page.getByText(t('app.maintenance'))).toBeVisible();
  await expect(order.payButton).toBeDisabled();
});

test('A shop that cannot be reached says so and comes back by itself when asked again', async ({ page }) => {
  await page.route('**/config.json', route => route.abort());
  await page.goto(`${testStack().url}/#/en/get-started`);
  await expect(page.getByRole('heading', { level: 1, name: t('app.fault.title') })).toBeVisible({
    timeout: 20_000,
  });
  await page.unrouteAll();
  await page.getByRole('button', { name: t('app.tryAgain') }).click();
  await expect(page.getByRole('heading', { level: 1, name: t('plans.title') })).toBeVisible();
});

test('Texts are there from the last visit when their server is slow', async ({ page }) => {
  await page.goto(`${testStack().url}/#/en/get-started`);
  await expect(page.getByRole('heading', { level: 1, name: t('plans.title') })).toBeVisible();
  await page.route('**/v1/uiText/**', () => undefined);
  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name: t('plans.title') })).toBeVisible();
});
