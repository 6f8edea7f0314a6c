import { expect, type Page, test } from '@playwright/test';
import { becomeCustomer } from '../customer.ts';
import { testStack } from '../env.ts';
import { orderScreen } from '../screens/order.ts';
import { successScreen } from '../screens/success.ts';
import { upgradeScreen } from '../screens/upgrade.ts';
import { ending, say } from '../texts.ts';

// An answer on its way when a test ends must not fail it.
test.afterEach(({ page }) => page.unrouteAll({ behavior: 'ignoreErrors' }));

/** Buys a subscription. @returns its id */
async function subscribe(page: Page): Promise<string> {
  await becomeCustomer(page);
  await page.getByRole('link', { name: /Bangkok/ }).click();
  await expect(page).toHaveURL(/\/management\/subscription\/sub_/);
  return new URL(page.url()).hash.split('/').at(-1)!;
}

/** Upgrades as the preview says; schedules a downgrade and cancels it; then changes the term. */
async function changePlans(page: Page, language: 'en' | 'th'): Promise<void> {
  const t = say(language);
  const id = await subscribe(page);
  const upgrade = upgradeScreen(page, t, language);
  const order = orderScreen(page, t, language);
  await upgrade.open(id);
  await upgrade.isOn('solo');
  await upgrade.choose('plus');
  const due = await upgrade.due();
  await upgrade.goToPayment.click();
  await expect(order.payButton).toContainText(due);
  // A reload or going back shows the same price.
  await page.reload();
  await expect(order.payButton).toContainText(due);
  await order.agree();
  await order.mayPay();
  await order.payButton.dblclick();
  await successScreen(page, t).isShown();
  await page.getByRole('link', { name: t('success.open'), exact: true }).click();
  await expect(page.getByText(new RegExp(`^${t('plans.name.plus')}, `)).first()).toBeVisible();

  await upgrade.open(id);
  await upgrade.choose('solo');
  await upgrade.plan.click();
  await expect(upgrade.undo).toBeVisible();
  await page.reload();
  await upgrade.undo.click();
  await expect(upgrade.undo).toBeHidden();
  await upgrade.isOn('plus');

  // Another term is another subscription, which the rest of this one pays in part. This one ends as that one starts.
  await upgrade.elsewhere.click();
  await expect(page.getByText(ending(t('order.replace.what')))).toBeVisible();
  const before = await upgrade.due();
  // The rest pays the same product but for the day that has begun. Nobody orders what they have.
  await expect(order.payButton).toContainText(before);
  await expect(order.payButton).toBeDisabled();
  await expect(page.getByText(t('order.replace.same'))).toBeVisible();
  await page.getByRole('radio', { name: t('plans.cycle.3') }).check();
  await expect(page.getByText(t('order.replace.same'))).toHaveCount(0);
  await expect.poll(() => upgrade.due()).not.toBe(before);
  const rest = await upgrade.due();
  await expect(order.payButton).toContainText(rest);
  await page.reload();
  await expect(order.payButton).toContainText(rest);
  await order.agree();
  await order.mayPay();
  await order.payButton.dblclick();
  await successScreen(page, t).isShown();
  await page.goto(`${testStack().url}/#/${language}/management/subscription/${id}`);
  await expect(page.getByText(t('history.retire'))).toBeVisible();
}

test('U62 an upgrade costs what its preview says and applies at once; a downgrade is scheduled and cancelled', ({
  page,
}) => changePlans(page, 'en'));

test('An upgrade that became credit says that the plan is unchanged, and that nothing is in progress', {
  tag: '@soak',
}, async ({ page }) => {
  const t = say('en');
  const id = await subscribe(page);
  const upgrade = upgradeScreen(page, t);
  const order = orderScreen(page, t);
  await upgrade.open(id);
  await upgrade.choose('plus');
  await upgrade.goToPayment.click();
  let asked = 0;
  // Answers as when the period ended during payment.
  await page.route('**/v1/order/purchaseData', async route => {
    const response = await route.fetch();
    const answer = await response.json();
    if (answer.data.status === 'fulfilled') {
      answer.data.status = 'refunded';
      asked += 1;
    }
    await route.fulfill({ response, json: answer });
  });
  await order.agree();
  await order.mayPay();
  await order.payButton.click();
  await expect(page.getByRole('heading', { level: 1, name: t('order.kept.title') })).toBeVisible();
  await expect(page.getByText(t('order.kept.text'))).toBeVisible();
  await expect(page.getByRole('list', { name: t('success.steps') })).toHaveCount(0);
  const before = asked;
  await page.waitForTimeout(3000);
  expect(asked, 'it asks for nothing more').toBe(before);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});

test.describe('in Thai on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } });
  test('U62 plans change the same way on a phone in Thai', { tag: '@soak' }, ({ page }) =>
    changePlans(page, 'th'),
  );
});
