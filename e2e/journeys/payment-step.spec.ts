import { expect, test } from '@playwright/test';
import { freshAddress } from '../mailbox.ts';
import { orderScreen } from '../screens/order.ts';
import { say } from '../texts.ts';

const t = say('en');

test('U29 card fields are outlined until they load, a reload keeps the name, and another period names its saving', async ({
  page,
}) => {
  const order = orderScreen(page, t);
  const name = page.getByLabel(t('order.card.name'));
  let release = () => {};
  const released = new Promise<void>(resolve => {
    release = resolve;
  });
  await page.route('**/pay.html', route => released.then(() => route.continue()));
  await order.open();
  for (const field of ['number', 'expiry', 'cvc'] as const)
    await expect(page.getByText(t(`order.card.${field}`), { exact: true })).toBeVisible();
  release();
  await order.cardReady();
  // Only the fields themselves are left.
  await expect(page.getByText(t('order.card.number'), { exact: true })).toBeHidden();

  await name.fill('Ann Example');
  await page.reload();
  await expect(name).toHaveValue('Ann Example');

  await page.getByRole('button', { name: t('order.plan.change') }).click();
  await expect(page.getByRole('radio', { name: /^12 months.*\d%/ })).toBeVisible();
  await expect(page.getByText(t('plans.perMonth')).first()).toBeVisible();
});

test('U29 in a low window the pay button is in sight while the form is filled in @soak', async ({ page }) => {
  await page.setViewportSize({ width: 1024, height: 600 });
  const order = orderScreen(page, t);
  await order.open();
  await order.cardReady();
  await order.email.fill(freshAddress());
  await order.cardNumber.focus();
  await expect(order.payButton).toBeInViewport({ ratio: 1 });
  await expect(order.terms).toBeInViewport({ ratio: 1 });
  // Everything that is bought is named, in one row.
  const row = page.getByRole('definition').filter({ hasText: /Bangkok.*2 devices.*GB/ });
  await expect(row).toHaveCount(1);
});
