import { expect, test } from '@playwright/test';
import { testStack } from '../env.ts';
import { say } from '../texts.ts';

test.use({ locale: 'ja-JP' });

test('The browser chooses the language on the root path only', async ({ page }) => {
  await page.goto(`${testStack().url}/`);
  await expect(page).toHaveURL(/#\/jp$/);
  await page.goto(`${testStack().url}/#/get-started`);
  await expect(page).toHaveURL(/#\/en\/get-started$/);
  await page.goto(`${testStack().url}/#/xx/get-started`);
  await expect(page).toHaveURL(/#\/en\/xx\/get-started$/);
});

test('A choice of language changes the page without loading it again, and is remembered', async ({
  page,
  context,
}) => {
  const t = say('en');
  await page.goto(`${testStack().url}/#/en/get-started`);
  await page.evaluate('globalThis.sameDocument = true');
  await page.getByRole('button', { name: t('nav.language') }).click();
  await page.getByRole('menuitemradio', { name: 'ไทย' }).click();
  await expect(page).toHaveURL(/#\/th\/get-started$/);
  await expect(page.locator('html')).toHaveAttribute('lang', 'th-TH');
  expect(await page.evaluate('globalThis.sameDocument')).toBe(true);

  const cookie = (await context.cookies()).find(each => each.name === 'i18n_redirected');
  expect(cookie?.value).toBe('th');
  const days = ((cookie?.expires ?? 0) - Date.now() / 1000) / 86_400;
  expect(Math.round(days)).toBe(365);

  const other = await context.newPage();
  await other.goto(`${testStack().url}/`);
  await expect(other).toHaveURL(/#\/th$/);
});

test('A page that does not exist says so', async ({ page }) => {
  await page.goto(`${testStack().url}/#/en/no/such/page`);
  await expect(page.getByRole('heading', { name: say('en')('notFound.title') })).toBeVisible();
  await expect(page).toHaveTitle(`${say('en')('notFound.title')} · Fixpoint`);
});
