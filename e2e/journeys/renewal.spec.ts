import { expect, type Page, test } from '@playwright/test';
import { becomeCustomer } from '../customer.ts';
import { testStack } from '../env.ts';
import { startOwnStack } from '../own-stack.ts';
import { accountScreens, PASSWORD } from '../screens/account.ts';
import { cards, orderScreen } from '../screens/order.ts';
import { renewalScreen } from '../screens/renewal.ts';
import { scanScreen } from '../screens/scan.ts';
import { subscriptionScreen } from '../screens/subscription.ts';
import { successScreen } from '../screens/success.ts';
import { say } from '../texts.ts';

const en = say('en');
const th = say('th');

// One after the other, because the clock advances for both.
test.describe.configure({ mode: 'default' });
test.setTimeout(240_000);

let stack: Awaited<ReturnType<typeof startOwnStack>>;
test.beforeAll(async () => {
  stack = await startOwnStack();
});
test.afterAll(() => stack?.stop());

/** Buys a subscription. @returns its id */
async function subscribe(page: Page): Promise<string> {
  await becomeCustomer(page);
  await page.getByRole('link', { name: /Bangkok/ }).click();
  await expect(page.getByRole('heading', { name: en('renewal.title'), exact: true })).toBeVisible();
  return new URL(page.url()).hash.split('/').at(-1)!;
}

/** Makes a card the default that can be saved but never charged. */
async function saveEmptyCard(page: Page): Promise<void> {
  await page.goto(`${testStack().url}/#/en/management/billing`);
  await page.getByRole('button', { name: en('billing.card.add') }).click();
  await orderScreen(page, en).fillCard(cards.refusesCharges);
  await page.getByLabel(en('billing.card.asDefault')).check();
  await page.getByRole('button', { name: en('billing.card.save') }).click();
  // The newest card is the default and comes first.
  await expect(page.getByText(/•••• \d{4}/).first()).toContainText('0341');
}

test('FU1 Renewal is turned off and on; a past-due renewal is paid with another card; an ended subscription is bought again', async ({
  page,
}) => {
  const id = await subscribe(page);
  const renewal = renewalScreen(page, en);
  const order = orderScreen(page, en);
  await renewal.turnOff('tooExpensive', 'other');
  await renewal.turnOn.click();
  await expect(renewal.isOn).toBeVisible();

  await saveEmptyCard(page);
  // Longer than any month.
  await stack.advance(31.5);
  // The past-due amount comes first.
  await page.goto(`${testStack().url}/#/en/management/dashboard`);
  await expect(renewal.dueNow).toBeVisible();
  await renewal.open(id);
  await expect(page.getByRole('heading', { name: en('renewal.title'), exact: true })).toBeVisible();
  // The email leads here: the amount is in view at once, above the devices.
  await expect(renewal.pastDue).toBeInViewport();
  // Shows the next retry. Turning renewal off now would end the subscription, which the page says first.
  await expect(renewal.isRetried).toBeVisible();
  await renewal.askToEndNow();
  await renewal.payWith('Visa •••• 0341').click();
  // Longer than a snack: beside its subject.
  await expect(page.getByRole('main').getByText(en('errorCode.2002'))).toBeVisible();
  // A newly saved card would be charged at once, which the page says, also beside the button.
  await page.goto(`${testStack().url}/#/en/management/billing`);
  await expect(renewal.chargedAtOnce).toContainText('THB 199.00');
  await page.getByRole('button', { name: en('billing.card.add') }).click();
  await expect(page.getByRole('button', { name: en('billing.card.save') })).toBeVisible();
  await expect(renewal.chargedAtOnce).toHaveCount(1);
  await renewal.open(id);
  await renewal.payPastDue();
  await expect(renewal.isRetried).toBeVisible();
  await expect(page.getByText('•••• 0341')).toBeVisible();
  await order.pay();
  await expect(order.problem).toContainText(en('errorCode.2002'));
  await page.getByRole('radio', { name: en('order.card.other') }).check();
  await order.fillCard(cards.good);
  await order.pay();
  await expect(renewal.paid).toBeVisible();
  await expect(renewal.isOn).toBeVisible();
  await expect(renewal.pastDue).toBeHidden();
  // The payment page of a renewal that is paid leads back to the subscription.
  await page.goto(`${testStack().url}/#/en/management/subscription/${id}/pay`);
  await expect(renewal.nothingOwed).toBeVisible();
  await expect(renewal.isOn).toBeVisible();
  await page.goto(`${testStack().url}/#/en/management/billing`);
  await expect(page.getByText('•••• 0341')).toBeVisible();
  await expect(renewal.chargedAtOnce).toHaveCount(0);
  await renewal.open(id);

  await renewal.turnOff();
  await stack.advance(40);
  await renewal.open(id);
  // Weeks have passed, and no page stays open that long.
  await page.reload();
  await expect(renewal.again).toBeInViewport();
  // No device can be added now, nothing suggests one, and nothing can be diagnosed.
  await expect(page.getByRole('heading', { name: en('devices.title') })).toHaveCount(0);
  await expect(page.getByText(en('why.title'))).toHaveCount(0);
  await expect(page.getByText(en('keys.empty.text'))).toHaveCount(0);
  // No host serves it any more, so none is silent.
  await expect(renewal.hostIsSilent).toHaveCount(0);
  // The overview leads to it as well.
  await page.goto(`${testStack().url}/#/en/management/dashboard`);
  await expect(accountScreens(page, en).overview).toBeVisible();
  await renewal.again.click();
  await expect(renewal.held).toBeVisible();
  await order.agree();
  await page.getByRole('radio', { name: en('order.card.other') }).check();
  await order.fillCard(cards.needsConfirmation);
  await order.pay();
  await order.answerBank('complete');
  await expect(successScreen(page, en).address).toBeVisible();
  // U32: a file needs a recent confirmation of identity, also on this page.
  await stack.ageLogins();
  await subscriptionScreen(page).keyName.fill('phone');
  await page.getByRole('button', { name: en('devices.add') }).click();
  await page.getByRole('button', { name: en('devices.link'), exact: true }).click();
  const question = page.getByRole('dialog', { name: en('stepUp.title') });
  await question.getByLabel(en('account.password.current')).fill(PASSWORD);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('img', { name: en('devices.link.code') })).toBeVisible();
  await page.keyboard.press('Escape');
  await renewal.open(id);
  await expect(renewal.isOn).toBeVisible();
  // After the new purchase, the law of some countries allows withdrawal: full refund and an immediate end.
  await renewal.withdraw('FR', '199.00');
  await expect(page.getByText(en('history.withdraw'), { exact: true })).toBeVisible();
});

test.describe('in Thai on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test('A past-due renewal is paid by PromptPay, and an ended subscription is bought again with the saved card', {
    tag: '@soak',
  }, async ({ page }) => {
    const id = await subscribe(page);
    const renewal = renewalScreen(page, th, 'th');
    const order = orderScreen(page, th, 'th');
    const scan = scanScreen(page, th, 'promptpay', 'th');
    await saveEmptyCard(page);
    await stack.advance(30.5);
    // From the invoice that is past due.
    await page.goto(`${testStack().url}/#/th/management/billing`);
    await page
      .getByRole('row')
      .filter({ hasText: th('billing.status.open') })
      .getByRole('link')
      .first()
      .click();
    await renewal.payPastDue();
    await page.getByRole('radio', { name: th('billing.method.promptpay') }).check();
    await order.pay();
    await expect(scan.code).toBeVisible();
    // The same code after a reload.
    await page.reload();
    await page.getByRole('radio', { name: th('billing.method.promptpay') }).check();
    await order.pay();
    await expect(scan.code).toBeVisible();
    await scan.payInApp();
    await expect(renewal.paid).toBeVisible();
    await expect(renewal.isManual).toBeVisible();
    await expect(renewal.pastDue).toBeHidden();

    await renewal.turnOff();
    await renewal.turnOn.click();
    await expect(renewal.isManual).toBeVisible();
    await renewal.turnOff();
    await stack.advance(40);
    await page.goto(`${testStack().url}/#/en/management/billing`);
    await page.getByRole('button', { name: en('billing.card.makeDefault') }).click();
    await expect(page.getByText(/•••• \d{4}/).first()).toContainText('4242');
    await renewal.open(id);
    // Weeks have passed, and no page stays open that long.
    await page.reload();
    await renewal.again.click();
    await expect(renewal.held).toBeVisible();
    await expect(page.getByText('•••• 4242')).toBeVisible();
    await order.agree();
    await order.pay();
    await successScreen(page, th).isShown();
  });
});
