import { expect, test } from '@playwright/test';
import { violationsInBothThemes } from '../axe.ts';
import { testStack } from '../env.ts';
import { freshAddress, noticeLink } from '../mailbox.ts';
import { say } from '../texts.ts';

const t = say('en');
const home = () => `${testStack().url}/#/en`;

test('UX6 UX14 The front page says what a fixed IP is for before it promises; who waits for a sold-out place is asked to confirm once', async ({
  page,
}) => {
  await page.goto(home());
  await expect(page.getByText(t('home.uses'))).toBeInViewport();
  // What is below the first screen comes after it.
  await expect(page.getByRole('heading', { name: t('home.promises') })).toBeVisible();
  const heads = await page.getByRole('heading', { level: 2 }).allTextContents();
  expect(heads.indexOf(t('vpn.fixed'))).toBeLessThan(heads.indexOf(t('home.promises')));
  expect(heads).toContain(t('vpn.fixed'));

  const places = page.getByRole('list').filter({ hasText: 'Bangkok' }).getByRole('listitem');
  await expect(places.first()).toContainText('Bangkok');
  await expect(places.first()).toContainText(t('region.free'));
  const full = places.filter({ hasText: t('order.place.full') }).first();
  await full.getByRole('button').click();
  const email = freshAddress();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(t('order.email.label')).fill(email);
  expect(await violationsInBothThemes(page)).toEqual([]);
  await dialog.getByRole('button', { name: t('place.notify'), exact: true }).click();
  await expect(dialog.getByText(t('place.notify.sent', { email }))).toBeVisible();

  await page.goto(await noticeLink(email));
  await expect(page.getByRole('button', { name: t('placeNotice.confirm') })).toBeVisible();
  expect(await violationsInBothThemes(page)).toEqual([]);
  await page.getByRole('button', { name: t('placeNotice.confirm') }).click();
  await expect(page.getByRole('button', { name: t('placeNotice.confirm') })).toBeHidden();
  expect(await violationsInBothThemes(page)).toEqual([]);
  // The token stands in the history entry alone, and works until the address is erased.
  await page.reload();
  await page.getByRole('button', { name: t('placeNotice.delete') }).click();
  await expect(page.getByText(t('placeNotice.deleted'))).toBeVisible();
  await page.reload();
  await expect(page.getByText(t('placeNotice.over'))).toBeVisible();
});

test('UX7 UX15 Under the plans stands what is refunded; the currency can be chosen and is remembered', async ({
  page,
}) => {
  await page.goto(`${home()}/get-started`);
  await expect(page.getByText(t('refund.none'))).toBeVisible();
  const currency = page.getByLabel(t('plans.currency'));
  await expect(currency).toHaveValue('THB');
  await currency.selectOption('USD');
  const price = page.getByRole('article').first();
  await expect(price).toContainText('USD');
  await page.reload();
  await expect(currency).toHaveValue('USD');
  await price.getByRole('link').click();
  await expect(page.getByRole('button', { name: /USD/ })).toBeVisible();
  await page.route('**/config.json', async route => {
    const answer = await route.fetch();
    const set = {
      WITHDRAWAL: { DE: 'days', FR: 'full' },
      COMPANY_NAME: 'Example Ltd.',
      COMPANY_SINCE: '2019',
    };
    await route.fulfill({ json: { ...(await answer.json()), ...set } });
  });
  await page.goto(`${home()}/get-started`);
  await page.reload();
  const note = page.getByText(t('refund.full', { countries: 'France' }));
  await expect(note).toContainText(t('refund.days', { countries: 'Germany' }));
  await expect(note).toContainText(t('refund.elsewhere'));
  await page.getByRole('button', { name: t('footer.about') }).click();
  await expect(page.getByRole('dialog')).toContainText('Example Ltd.');
  await expect(page.getByRole('dialog')).toContainText('2019');
});
