import { expect, type Page, test } from '@playwright/test';
import { becomeCustomer } from '../customer.ts';
import { testStack } from '../env.ts';
import { cards, orderScreen } from '../screens/order.ts';
import { successScreen } from '../screens/success.ts';
import { say } from '../texts.ts';

const t = say('en');
const billing = (page: Page, language = 'en') =>
  page.goto(`${testStack().url}/#/${language}/management/billing`);

test('Saved cards: one is added past the bank’s question, made default, removed', async ({ page }) => {
  await becomeCustomer(page);
  const order = orderScreen(page, t);
  await billing(page);
  await expect(page.getByText('•••• 4242')).toBeVisible();

  await page.getByRole('button', { name: t('billing.card.add') }).click();
  await page.getByRole('button', { name: t('billing.card.save') }).click();
  await expect(page.getByText(t('order.card.name.missing')).first()).toBeVisible();
  await order.fillCard(cards.declined);
  await page.getByRole('button', { name: t('billing.card.save') }).click();
  await expect(page.getByText(t('errorCode.2002')).first()).toBeVisible();
  await order.fillCard(cards.needsConfirmation);
  await page.getByRole('button', { name: t('billing.card.save') }).click();
  await order.answerBank('complete');
  await expect(page.getByText('•••• 3220')).toBeVisible();
  await expect(page.getByText('Ann Example').first()).toBeVisible();

  await page.getByRole('button', { name: t('billing.card.makeDefault') }).click();
  await expect(page.getByText(t('billing.card.default'), { exact: true })).toHaveCount(1);
  await page.getByRole('button', { name: t('account.remove.label', { name: 'Visa •••• 3220' }) }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('account.remove') })
    .click();
  await expect(page.getByText('•••• 3220')).toHaveCount(0);
  await page.reload();
  await expect(page.getByText('•••• 4242')).toBeVisible();
});

test.describe('in Thai on a phone', () => {
  const th = say('th');
  test.use({ viewport: { width: 390, height: 844 } });

  test('FU8 The saved card comes first; another pays as well', async ({ page }) => {
    await becomeCustomer(page);
    const order = orderScreen(page, th, 'th');
    await order.open();
    await expect(page.getByText('•••• 4242')).toBeVisible();
    await page.getByRole('button', { name: th('order.card.change'), exact: true }).click();
    await order.fillCard(cards.insufficientFunds);
    await order.pay();
    await expect(order.problem).toContainText(th('errorCode.insufficient_funds'));
    await page.getByRole('button', { name: th('order.card.useSaved') }).click();
    await order.pay();
    await successScreen(page, th).isShown();
  });
});
