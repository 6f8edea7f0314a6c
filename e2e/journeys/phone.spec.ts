import { expect, test } from '@playwright/test';
import { testStack } from '../env.ts';
import { freshAddress } from '../mailbox.ts';
import { orderScreen } from '../screens/order.ts';
import { successScreen } from '../screens/success.ts';
import { say } from '../texts.ts';

const t = say('th');

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, locale: 'th-TH' });

test('A customer on a phone in Thai gets from the front page to the paid order, never wider than the screen', async ({
  page,
}) => {
  const fits = async () => {
    const width = await page.evaluate('document.documentElement.scrollWidth');
    expect(width).toBeLessThanOrEqual(390);
  };
  await page.goto(`${testStack().url}/`);
  await expect(page).toHaveURL(/#\/th$/);
  await expect(page.locator('html')).toHaveAttribute('lang', 'th-TH');
  await expect(page.getByRole('heading', { level: 1, name: t('home.title') })).toBeVisible();
  await fits();

  await page.getByRole('link', { name: t('home.start') }).click();
  await expect(page.getByRole('heading', { level: 1, name: t('plans.title') })).toBeFocused();
  await fits();
  await page.getByRole('link', { name: t('plans.choose', { plan: t('plans.name.solo') }) }).click();

  const order = orderScreen(page, t, 'th');
  await order.fill(freshAddress());
  await fits();
  await order.pay();
  const success = successScreen(page, t);
  await success.isShown();
  await expect(success.address).toBeVisible();
  await fits();
});
