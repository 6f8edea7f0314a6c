import { expect, type Page, test } from '@playwright/test';
import { becomeCustomer } from '../customer.ts';
import { testStack } from '../env.ts';
import { emailedCode, freshAddress, payLink } from '../mailbox.ts';
import { startOwnStack } from '../own-stack.ts';
import { accountScreens, PASSWORD } from '../screens/account.ts';
import { cards, orderScreen } from '../screens/order.ts';
import { paypalScreen } from '../screens/paypal.ts';
import { renewalScreen } from '../screens/renewal.ts';
import { scanScreen } from '../screens/scan.ts';
import { subscriptionScreen } from '../screens/subscription.ts';
import { successScreen } from '../screens/success.ts';
import { say } from '../texts.ts';

const en = say('en');
const th = say('th');

// One after the other: time passes for both.
test.describe.configure({ mode: 'default' });
test.setTimeout(240_000);

let stack: Awaited<ReturnType<typeof startOwnStack>>;
test.beforeAll(async () => {
  stack = await startOwnStack();
});
test.afterAll(() => stack?.stop());

/** @returns the id of the subscription that he has bought */
async function subscribe(page: Page): Promise<string> {
  await becomeCustomer(page);
  await page.getByRole('link', { name: /Bangkok/ }).click();
  await expect(page.getByRole('heading', { name: en('renewal.title'), exact: true })).toBeVisible();
  return new URL(page.url()).hash.split('/').at(-1)!;
}

/** From now on he pays by a card that his bank lets save, and refuses to charge. */
async function saveEmptyCard(page: Page): Promise<void> {
  await page.goto(`${testStack().url}/#/en/management/billing`);
  await page.getByRole('button', { name: en('billing.card.add') }).click();
  await orderScreen(page, en).fillCard(cards.refusesCharges);
  await page.getByRole('button', { name: en('billing.card.save') }).click();
  // The newest pays from now on, and comes first.
  await expect(page.getByText(/•••• \d{4}/).first()).toContainText('0341');
}

test('FU1 Renewal is turned off and on; what is owed is paid with another card; what ended is bought again', async ({
  page,
}) => {
  const id = await subscribe(page);
  const renewal = renewalScreen(page, en);
  const order = orderScreen(page, en);
  await renewal.turnOff('tooExpensive', 'other');
  await renewal.turnOn.click();
  await expect(renewal.isOn).toBeVisible();

  await saveEmptyCard(page);
  // The longest month is over by then.
  await stack.pass(31.5);
  // FU16: what is owed comes first.
  await page.goto(`${testStack().url}/#/en/management/dashboard`);
  await expect(renewal.owed).toBeVisible();
  await renewal.open(id);
  await expect(page.getByRole('heading', { name: en('renewal.title'), exact: true })).toBeVisible();
  // The email leads here: it is in sight at once, above the devices.
  await expect(renewal.owed).toBeInViewport();
  // When it is tried next; turned off now, it would end at once, which is said before.
  await expect(renewal.isTriedAgain).toBeVisible();
  await renewal.askToEndNow();
  await renewal.payWith('Visa •••• 0341').click();
  // Longer than a snack: beside what it is about.
  await expect(page.getByRole('main').getByText(en('errorCode.2002'))).toBeVisible();
  // A card that he saved now would be charged at once: he is told, also beside the button.
  await page.goto(`${testStack().url}/#/en/management/billing`);
  await expect(renewal.chargedAtOnce).toContainText('THB 199.00');
  await page.getByRole('button', { name: en('billing.card.add') }).click();
  await expect(page.getByRole('button', { name: en('billing.card.save') })).toBeVisible();
  await expect(renewal.chargedAtOnce).toHaveCount(1);
  await renewal.open(id);
  await renewal.payOwed();
  await expect(renewal.isTriedAgain).toBeVisible();
  await expect(page.getByText('•••• 0341')).toBeVisible();
  await order.pay();
  await expect(order.problem).toContainText(en('errorCode.2002'));
  await page.getByRole('button', { name: en('order.card.change'), exact: true }).click();
  await order.fillCard(cards.good);
  await order.pay();
  await expect(renewal.paid).toBeVisible();
  await expect(renewal.isOn).toBeVisible();
  await expect(renewal.owed).toBeHidden();
  // The page of what is paid by now leads back to it.
  await page.goto(`${testStack().url}/#/en/management/subscription/${id}/pay`);
  await expect(renewal.nothingOwed).toBeVisible();
  await expect(renewal.isOn).toBeVisible();
  await page.goto(`${testStack().url}/#/en/management/billing`);
  await expect(page.getByText('•••• 0341')).toBeVisible();
  await expect(renewal.chargedAtOnce).toHaveCount(0);
  await renewal.open(id);

  await renewal.turnOff();
  await stack.pass(40);
  await renewal.open(id);
  // Weeks have passed: nothing of the page is as old.
  await page.reload();
  await expect(renewal.again).toBeInViewport();
  // No device can be added now, and nothing asks for one.
  await expect(page.getByText(en('keys.empty.title'))).toBeVisible();
  await expect(page.getByText(en('keys.empty.text'))).toHaveCount(0);
  // No host runs it any more, so none is silent.
  await expect(renewal.hostIsSilent).toHaveCount(0);
  // FU16: the overview leads to it as well.
  await page.goto(`${testStack().url}/#/en/management/dashboard`);
  await expect(accountScreens(page, en).overview).toBeVisible();
  await renewal.again.click();
  await expect(renewal.held).toBeVisible();
  await order.agree();
  await page.getByRole('button', { name: en('order.card.change'), exact: true }).click();
  await order.fillCard(cards.needsConfirmation);
  await order.pay();
  await order.answerBank('complete');
  await expect(successScreen(page, en).address).toBeVisible();
  // U32: a file is given to who has confirmed himself lately, also on this page.
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
  // Bought again, the law of some countries lets him withdraw: all of it comes back, and it ends at once.
  await renewal.withdraw('FR', '199.00');
  await expect(page.getByText(en('history.withdraw'), { exact: true })).toBeVisible();
});

test('A guest who pays by hand gets from the email to paying, by way of a password that he never had; later it says that all is paid', async ({
  page,
}) => {
  const email = freshAddress();
  const renewal = renewalScreen(page, en);
  const account = accountScreens(page, en);
  const scan = scanScreen(page, en, 'promptpay');
  await scan.begin(email);
  await scan.payInApp();
  await expect(successScreen(page, en).address).toBeVisible();
  // A week before the end of the shortest month its invoice is there.
  await stack.pass(25);
  const message = await payLink(email);
  await page.goto(message);
  await expect(account.loginTitle).toBeVisible();
  await account.email.fill(email);
  await page.getByRole('link', { name: en('forgot.title') }).click();
  await account.requestReset();
  await account.code.fill(await emailedCode(email));
  await account.fillNewPassword();
  // The browser may have let go of the page while he read his mail.
  await page.reload();
  await account.fillNewPassword();
  await account.saveNewPassword();
  await account.logIn();
  await expect(page).toHaveURL(message);
  // What PayPal refuses can be paid another way at once.
  const paypal = paypalScreen(page);
  await page.getByRole('radio', { name: en('billing.method.paypal') }).check();
  await orderScreen(page, en).pay();
  await paypal.isShown();
  await paypal.refusedCard.check();
  await paypal.agree.click();
  await expect(orderScreen(page, en).problem).toContainText(en('order.paypal.declined'));
  await page.getByRole('radio', { name: en('billing.method.promptpay') }).check();
  await orderScreen(page, en).pay();
  await expect(scan.code).toBeVisible();
  await scan.payInApp();
  await expect(renewal.paid).toBeVisible();
  await expect(renewal.isOnByHand).toBeVisible();
  await page.goto(message);
  await expect(renewal.nothingOwed).toBeVisible();
  await expect(renewal.isOnByHand).toBeVisible();
});

test.describe('in Thai on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test('What is owed is paid by PromptPay, and what ended is bought again with the saved card', {
    tag: '@soak',
  }, async ({ page }) => {
    const id = await subscribe(page);
    const renewal = renewalScreen(page, th, 'th');
    const order = orderScreen(page, th, 'th');
    const scan = scanScreen(page, th, 'promptpay', 'th');
    await saveEmptyCard(page);
    await stack.pass(30.5);
    // From the invoice that says so.
    await page.goto(`${testStack().url}/#/th/management/billing`);
    await page
      .getByRole('row')
      .filter({ hasText: th('billing.status.open') })
      .getByRole('link')
      .click();
    await renewal.payOwed();
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
    await expect(renewal.isOnByHand).toBeVisible();
    await expect(renewal.owed).toBeHidden();

    await renewal.turnOff();
    await renewal.turnOn.click();
    await expect(renewal.isOnByHand).toBeVisible();
    await renewal.turnOff();
    await stack.pass(40);
    await page.goto(`${testStack().url}/#/en/management/billing`);
    await page.getByRole('button', { name: en('billing.card.makeDefault') }).click();
    await expect(page.getByText(/•••• \d{4}/).first()).toContainText('4242');
    await renewal.open(id);
    // Weeks have passed: nothing of the page is as old.
    await page.reload();
    await renewal.again.click();
    await expect(renewal.held).toBeVisible();
    await expect(page.getByText('•••• 4242')).toBeVisible();
    await order.agree();
    await order.pay();
    await successScreen(page, th).isShown();
  });
});
