import { expect, type Page, test } from '@playwright/test';
import { delayRequest } from '../blocked.ts';
import { countCharges } from '../charges.ts';
import { becomeCustomer } from '../customer.ts';
import { testStack } from '../env.ts';
import { cards, orderScreen } from '../screens/order.ts';
import { successScreen } from '../screens/success.ts';
import { say } from '../texts.ts';

const t = say('en');
const billing = async (page: Page, language: 'en' | 'th' = 'en') => {
  await page.goto(`${testStack().url}/#/${language}/management/billing`);
  await expect(page.getByRole('heading', { level: 1, name: say(language)('nav.billing') })).toBeVisible();
};

test('A saved card is added with 3-D Secure, pays with it after a decline, and is removed; the other one is replaced', async ({
  page,
}) => {
  await becomeCustomer(page);
  const order = orderScreen(page, t);
  await billing(page);
  await expect(page.getByText('•••• 4242')).toBeVisible();

  await page.getByRole('button', { name: t('billing.card.add') }).click();
  await page.getByRole('button', { name: t('billing.card.save') }).click();
  await expect(page.getByText(t('order.card.number.missing')).first()).toBeVisible();
  await order.fillCard(cards.declined);
  await page.getByRole('button', { name: t('billing.card.save') }).click();
  await expect(page.getByText(t('errorCode.2002')).first()).toBeVisible();
  await order.fillCard(cards.needsConfirmation);
  // Renewals go on being charged to the other, unless they say so here.
  const asDefault = page.getByLabel(t('billing.card.asDefault'));
  await expect(asDefault).not.toBeChecked();
  await asDefault.check();
  await page.getByRole('button', { name: t('billing.card.save') }).click();
  await order.answerBank('complete');
  await expect(page.getByText('•••• 3220')).toBeVisible();
  await expect(page.getByText('Ann Example').first()).toBeVisible();

  // The bank asks at the checkout too, also when the customer presses before the provider's script is ready.
  const charges = countCharges(page);
  const provider = Promise.withResolvers<void>();
  await page.route('**/pay.html', async route => {
    await provider.promise;
    await route.continue();
  });
  await order.open();
  await expect(order.savedCard('3220')).toBeChecked();
  const ordered = page.waitForRequest('**/v1/order/purchaseLogin');
  await order.agree();
  await order.pay();
  await ordered;
  provider.resolve();
  await order.answerBank('fail');
  await expect(order.problem).toContainText(t('order.card.authenticationFailed'));
  await expect(page.getByText('•••• 3220')).toBeVisible();
  expect(await charges()).toHaveLength(0);
  await order.pay();
  await order.answerBank('complete');
  await successScreen(page, t).isShown();
  expect(await charges()).toHaveLength(1);

  await billing(page);
  await page.getByRole('button', { name: t('billing.card.makeDefault') }).click();
  // The default card comes first.
  await expect(page.getByText(/•••• \d{4}/).first()).toContainText('4242');
  await expect(page.getByText(t('billing.card.default'), { exact: true })).toHaveCount(1);
  await page.getByRole('button', { name: t('account.remove.label', { name: 'Visa •••• 3220' }) }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('account.remove') })
    .click();
  await expect(page.getByText('•••• 3220')).toHaveCount(0);
  await page.reload();
  await expect(page.getByText('•••• 4242')).toBeVisible();

  await page.getByRole('button', { name: t('billing.card.replace') }).click();
  await order.fillCard(cards.another);
  await page.getByRole('button', { name: t('billing.card.save') }).click();
  await expect(page.getByText('•••• 4444')).toBeVisible();
  await expect(page.getByText('•••• 4242')).toHaveCount(0);
  await expect(page.getByText(t('billing.card.default'), { exact: true })).toBeVisible();
});

test('FU8 the other of two saved cards pays, after a decline and while the bank still asks about the first', {
  tag: '@soak',
}, async ({ page }) => {
  await becomeCustomer(page);
  const order = orderScreen(page, t);
  const save = async (number: string) => {
    await page.getByRole('button', { name: t('billing.card.add') }).click();
    await order.fillCard(number);
    await page.getByRole('button', { name: t('billing.card.save') }).click();
  };
  await billing(page);
  await save(cards.refusesCharges);
  await expect(page.getByText('•••• 0341')).toBeVisible();
  await save(cards.needsConfirmation);
  await order.answerBank('complete');
  await expect(page.getByText('•••• 3220')).toBeVisible();

  const charges = countCharges(page);
  const choose = (digits: string) => order.savedCard(digits).check();
  await order.open();
  await choose('0341');
  await order.agree();
  await order.pay();
  await expect(order.problem).toContainText(t('errorCode.2002'));
  await choose('3220');
  await order.pay();
  await expect(order.answerOf('complete')).toBeVisible();
  // The customer leaves the bank's question and returns to pay with the third card.
  await page.reload();
  await choose('4242');
  await order.pay();
  await successScreen(page, t).isShown();
  await expect(order.question).toHaveCount(0);
  expect(await charges()).toHaveLength(1);
});

test('A customer who types a card pays with it, also when a saved one loads later; the method cannot change while paying', {
  tag: '@soak',
}, async ({ page }) => {
  await becomeCustomer(page);
  const order = orderScreen(page, t);
  const letCome = await delayRequest(page, /\/stripe\/getCard$/);
  await page.goto('about:blank');
  await order.open();
  await order.cardReady();
  await page.getByLabel(t('order.card.name')).fill('Ann Example');
  letCome();
  await expect(order.savedCard('4242')).toBeVisible();
  await expect(order.card).toBeChecked();
  await order.fillCard(cards.needsConfirmation);
  await order.agree();
  await order.pay();
  await expect(order.answerOf('complete')).toBeVisible();
  await expect(order.paypal).toBeDisabled();
  await order.answerBank('complete');
  await successScreen(page, t).isShown();
});

test.describe('in Thai on a phone', () => {
  const th = say('th');
  test.use({ viewport: { width: 390, height: 844 } });

  test('FU8 the saved card comes first; declined, it keeps the order, which another card pays', {
    tag: '@soak',
  }, async ({ page }) => {
    await becomeCustomer(page);
    await billing(page, 'th');
    const order = orderScreen(page, th, 'th');
    await page.getByRole('button', { name: th('billing.card.add') }).click();
    await order.fillCard(cards.refusesCharges);
    await page.getByLabel(th('billing.card.asDefault')).check();
    await page.getByRole('button', { name: th('billing.card.save') }).click();
    await expect(page.getByText('•••• 0341')).toBeVisible();

    await order.open();
    await expect(order.savedCard('0341')).toBeChecked();
    await order.agree();
    await order.pay();
    await expect(order.problem).toContainText(th('errorCode.2002'));
    await expect(order.problem).toBeInViewport();
    await order.chooseCard();
    await order.fillCard(cards.insufficientFunds);
    await order.pay();
    await expect(order.problem).toContainText(th('errorCode.insufficient_funds'));
    await order.savedCard('0341').check();
    await order.chooseCard();
    await order.fillCard(cards.good);
    await order.pay();
    await successScreen(page, th).isShown();
  });
});
