import { expect, test } from '@playwright/test';
import { countCharges } from '../charges.ts';
import { freshAddress, passwordLink } from '../mailbox.ts';
import { accountScreens } from '../screens/account.ts';
import { orderScreen } from '../screens/order.ts';
import { subscriptionScreen } from '../screens/subscription.ts';
import { successScreen } from '../screens/success.ts';
import { say } from '../texts.ts';

const t = say('en');

test('FU2 A customer gets from the plan to the first key: pay, set a password, which logs in, download', async ({
  page,
}) => {
  const email = freshAddress();
  const order = orderScreen(page, t);
  const success = successScreen(page, t);
  const account = accountScreens(page, t);
  const charges = countCharges(page);

  await order.open();
  await order.fill(email);
  await expect(order.payButton).toContainText('THB 199.00');
  await order.pay();
  await success.isShown();
  await expect(success.address).toBeVisible();
  const address = await success.address.textContent();
  expect(await charges()).toMatchObject([{ amount: 19_900, currency: 'thb' }]);

  await account.setPassword(await passwordLink(email));

  const subscription = subscriptionScreen(page);
  await expect(page.getByText(address!)).toBeVisible();
  await subscription.addKey('laptop');
  await expect(subscription.row('laptop')).toBeVisible();
  const file = await subscription.download('laptop');
  expect(file.name).toMatch(/laptop\.ovpn$/);
  expect(file.text).toContain(`remote ${address} `);
  expect(file.text).toContain('BEGIN PRIVATE KEY');

  await subscription.delete('laptop');
  await expect(subscription.row('laptop')).toBeHidden();
});

test('Missing fields are listed in a summary that takes the focus, and nothing is sent', {
  tag: '@soak',
}, async ({ page }) => {
  const order = orderScreen(page, t);
  let purchases = 0;
  page.on('request', request => {
    if (request.url().endsWith('/v1/order/purchase')) purchases += 1;
  });
  await order.open();
  await order.cardReady();
  // The purpose of each field, for browsers that fill it in.
  await expect(order.email).toHaveAttribute('autocomplete', 'email');
  await expect(order.email).toHaveAttribute('autocapitalize', 'none');
  await expect(order.email).toHaveAttribute('spellcheck', 'false');
  await expect(page.getByLabel(t('order.card.name'))).toHaveAttribute('autocomplete', 'cc-name');
  await order.pay();
  const summary = page.getByRole('alert').filter({ hasText: t('order.errors.title') });
  await expect(summary).toBeFocused();
  await summary.getByRole('link', { name: t('form.email.required') }).click();
  await expect(order.email).toBeFocused();
  await expect(summary.getByRole('link', { name: t('form.terms.required') })).toBeVisible();
  expect(purchases).toBe(0);
});

test('A double click pays once', async ({ page }) => {
  const order = orderScreen(page, t);
  const charges = countCharges(page);
  await order.open();
  await order.fill(freshAddress());
  await order.mayPay();
  await order.payButton.dblclick();
  await successScreen(page, t).isShown();
  expect(await charges()).toHaveLength(1);
});
