import { expect, test } from '@playwright/test';
import { testStack } from '../env.ts';
import { freshAddress, passwordLink } from '../mailbox.ts';
import { accountScreens } from '../screens/account.ts';
import { orderScreen } from '../screens/order.ts';
import { successScreen } from '../screens/success.ts';
import { say } from '../texts.ts';

const t = say('en');

test('B21 a guest buys for a company: one line more for a private buyer, a wrong number is named and loses nothing', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const order = orderScreen(page, t);
  const email = freshAddress();
  await order.open('solo', 1);
  await order.email.fill(email);
  await expect(page.getByLabel(t('company.country'), { exact: true })).toHaveCount(0);
  await order.company.check();
  await page.getByLabel(t('company.country'), { exact: true }).selectOption('TH');
  const typed = {
    'company.name': 'Siam Trading Co., Ltd.',
    'company.line1': '1 Sukhumvit Rd',
    'company.subdistrict': 'Khlong Toei Nuea',
    'company.district': 'Watthana',
    'company.province': 'Bangkok',
    'company.postcode': '10110',
    'company.taxId': '0105567000003',
    'company.branch': '00000',
  };
  const field = (key: string) => page.getByRole('textbox', { name: t(key), exact: true });
  for (const [key, value] of Object.entries(typed)) await field(key).fill(value);
  await page.reload();
  for (const [key, value] of Object.entries(typed)) await expect(field(key)).toHaveValue(value);
  await order.fillCard('4242424242424242');
  await page.getByLabel(t('order.terms')).check();
  await order.payButton.click();
  await expect(page.getByText(t('form.company.taxId')).first()).toBeVisible();
  await expect(field('company.name')).toHaveValue(typed['company.name']);
  await field('company.taxId').fill('0105567000005');
  await order.payButton.click();
  await successScreen(page, t).isShown();

  const account = accountScreens(page, t);
  await account.setPassword(await passwordLink(email));
  await page.goto(`${testStack().url}/#/en/management/billing`);
  await expect(field('company.name')).toHaveValue(typed['company.name']);
  await expect(field('company.taxId')).toHaveValue('0105567000005');
  // What a private buyer sees of all that.
  await order.company.uncheck();
  await expect(field('company.name')).toBeHidden();
  await page.getByRole('button', { name: t('company.save') }).click();
  await expect(page.getByRole('button', { name: t('company.save') })).toBeHidden();
  await order.open('solo', 1);
  await expect(order.company).not.toBeChecked();
});
