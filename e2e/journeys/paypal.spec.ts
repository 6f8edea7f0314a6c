import { expect, type Page, test } from '@playwright/test';
import { violationsInBothThemes } from '../axe.ts';
import { forbidStorage } from '../blocked.ts';
import { duplicate } from '../duplicate.ts';
import { freshAddress } from '../mailbox.ts';
import { overflow } from '../overflow.ts';
import { orderScreen } from '../screens/order.ts';
import { approveElsewhere, countCaptures, declineAtBank, paypalScreen } from '../screens/paypal.ts';
import { successScreen } from '../screens/success.ts';
import { say } from '../texts.ts';

const t = say('en');

/** Fills in the order page to pay with PayPal. */
async function orderByPaypal(page: Page, say = t, language = 'en') {
  const order = orderScreen(page, say, language);
  const email = freshAddress();
  await order.open();
  await order.choosePaypal();
  await order.email.fill(email);
  await order.agree();
  return { ...order, typed: email };
}

test('PayPal: the buyer approves there and returns, and the order is paid', async ({ page }) => {
  const paypal = paypalScreen(page);
  const { taken } = countCaptures(page);
  const order = await orderByPaypal(page);
  await expect(page.getByText(t('order.paypal.lead'))).toBeVisible();
  // A card that was typed before is kept, out of sight.
  await expect(page.locator('iframe[src$="/pay.html"]')).toBeHidden();
  await order.pay();
  await paypal.isShown();
  await expect(page.getByText('THB 199.00')).toBeVisible();
  await paypal.agree.click();
  const success = successScreen(page, t);
  await success.isShown();
  await expect(success.address).toBeVisible();
  // The address keeps neither PayPal's parameters nor the way back.
  expect(page.url()).not.toMatch(/token|PayerID|back/);
  expect(await taken()).toMatchObject([{ status: 'COMPLETED', amount: '199.00', currency: 'THB' }]);
});

test('PayPal: a buyer who stops on the way there has the order back', { tag: '@soak' }, async ({ page }) => {
  const order = await orderByPaypal(page);
  const there = /\/checkoutnow\?token=/;
  await page.route(there, () => undefined);
  const asked = page.waitForRequest(there);
  // Other commands to the page wait for the next one until loading is stopped.
  const browser = await page.context().newCDPSession(page);
  await order.pay();
  await asked;
  await browser.send('Page.stopLoading');
  await expect(order.paypal).toBeDisabled();
  await order.mayPay();
  await page.unroute(there);
  await order.pay();
  await paypalScreen(page).isShown();
});

test('PayPal: a buyer who cancels there finds the order as it was, and a card pays it', async ({ page }) => {
  const paypal = paypalScreen(page);
  const { taken, orders } = countCaptures(page);
  const order = await orderByPaypal(page);
  await order.pay();
  await paypal.isShown();
  await paypal.cancel.click();
  await expect(page.getByText(t('order.cancelled'))).toBeVisible();
  await expect(order.email).toHaveValue(order.typed);
  await expect(order.paypal).toBeChecked();
  await expect(order.terms).toBeChecked();
  await order.chooseCard();
  await order.fillCard('4242424242424242');
  await order.pay();
  await successScreen(page, t).isShown();
  const [left] = [...orders];
  await approveElsewhere(left!);
  expect(await taken()).toEqual([]);
});

test("PayPal: a bank's late decline and a card declined there are shown in PayPal's words, and the next try pays once", {
  tag: '@soak',
}, async ({ page }) => {
  const paypal = paypalScreen(page);
  const { taken } = countCaptures(page);
  const order = await orderByPaypal(page);
  await order.pay();
  await paypal.isShown();
  await paypal.bank.check();
  await paypal.agree.click();
  await expect(page.getByRole('heading', { name: t('order.processing.title') })).toBeVisible();
  await expect.poll(taken).toMatchObject([{ status: 'PENDING' }]);
  await page.reload();
  await expect(page.getByRole('heading', { name: t('order.processing.title') })).toBeVisible();
  await expect(order.payButton).toBeHidden();
  const [pending] = await taken();
  await declineAtBank(pending!.capture);
  await expect(order.problem).toContainText(t('order.paypal.declined'));

  await order.agree();
  await order.pay();
  await paypal.isShown();
  await paypal.refusedCard.check();
  await paypal.agree.click();
  await expect(order.problem).toContainText(t('order.paypal.declined'));
  await expect(order.paypal).toBeChecked();
  await order.agree();
  await order.pay();
  await paypal.isShown();
  await paypal.agree.click();
  await successScreen(page, t).isShown();
  const paid = (await taken()).filter(({ status }) => status !== 'DECLINED');
  expect(paid).toHaveLength(1);
});

test('PayPal: going back from there leads to the order, which can be paid once', { tag: '@soak' }, async ({
  page,
}) => {
  const paypal = paypalScreen(page);
  const { taken, orders } = countCaptures(page);
  const order = await orderByPaypal(page);
  await order.pay();
  await paypal.isShown();
  await page.goBack();
  await expect(page.getByText(t('order.unfinished'))).toBeVisible();
  await expect(order.email).toHaveValue(order.typed);
  await expect(order.paypal).toBeChecked();
  await page.getByLabel(t('order.terms')).check();
  await order.pay();
  await paypal.isShown();
  expect(orders.size).toBe(1);
  await paypal.agree.click();
  await successScreen(page, t).isShown();
  expect(await taken()).toHaveLength(1);
});

test('PayPal: going back shows the paid order when the buyer approved elsewhere meanwhile', {
  tag: '@soak',
}, async ({ page }) => {
  const { taken, orders } = countCaptures(page);
  const order = await orderByPaypal(page);
  await order.pay();
  await paypalScreen(page).isShown();
  await approveElsewhere([...orders][0]!);
  await expect.poll(taken).toHaveLength(1);
  await page.goBack();
  await successScreen(page, t).isShown();
});

test('PayPal: two windows approve the same order, and it is paid once', { tag: '@soak' }, async ({
  page,
  context,
}) => {
  const order = await orderByPaypal(page);
  await order.pay();
  await paypalScreen(page).isShown();
  await page.goBack();
  await expect(page.getByText(t('order.unfinished'))).toBeVisible();
  const second = await duplicate(context, page);
  const { taken, orders } = countCaptures(page, second);
  for (const window of [page, second]) {
    const there = orderScreen(window, t);
    await expect(there.paypal).toBeChecked();
    await window.getByLabel(t('order.terms')).check();
    await there.pay();
    await paypalScreen(window).isShown();
  }
  expect(orders.size).toBe(1);
  for (const window of [page, second]) await paypalScreen(window).agree.click();
  for (const window of [page, second]) await successScreen(window, t).isShown();
  expect(await taken()).toHaveLength(1);
});

test('PayPal: an order paid by card in a second window meanwhile is not captured', { tag: '@soak' }, async ({
  page,
  context,
}) => {
  const order = await orderByPaypal(page);
  await order.pay();
  await paypalScreen(page).isShown();
  await page.goBack();
  const second = await duplicate(context, page);
  const { taken } = countCaptures(page);
  await page.goForward();
  await paypalScreen(page).isShown();

  const there = orderScreen(second, t);
  await there.chooseCard();
  await there.fillCard('4242424242424242');
  await there.agree();
  await there.pay();
  await successScreen(second, t).isShown();

  await paypalScreen(page).agree.click();
  await successScreen(page, t).isShown();
  expect(await taken()).toEqual([]);
});

test('PayPal: a buyer who returns in a browser that does not know the order reads that an email follows', {
  tag: '@soak',
}, async ({ page }) => {
  await forbidStorage(page);
  const { taken } = countCaptures(page);
  const order = await orderByPaypal(page);
  await order.pay();
  await paypalScreen(page).isShown();
  await paypalScreen(page).agree.click();
  await expect(page.getByRole('heading', { name: t('order.unknown.title') })).toBeVisible();
  await expect.poll(taken).toHaveLength(1);
});

test('PayPal: a customer buys by keyboard alone', { tag: '@soak' }, async ({ page }) => {
  const order = orderScreen(page, t);
  await order.open();
  await order.email.focus();
  await page.keyboard.type(freshAddress());
  await page.keyboard.press('Tab');
  await expect(order.company).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(order.card).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(order.paypal).toBeChecked();
  await page.keyboard.press('Tab');
  await expect(page.getByLabel(t('order.terms'))).toBeFocused();
  await page.keyboard.press('Space');
  await order.mayPay();
  await page.keyboard.press('Enter');
  await paypalScreen(page).isShown();
  await page.getByRole('radio').first().focus();
  await page.keyboard.press('Tab');
  await expect(paypalScreen(page).agree).toBeFocused();
  await page.keyboard.press('Enter');
  await successScreen(page, t).isShown();
});

test('PayPal: the order page with PayPal chosen has no accessibility violation', { tag: '@soak' }, async ({
  page,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await orderByPaypal(page);
  expect(await violationsInBothThemes(page)).toEqual([]);
});

test.describe('on a phone in Thai', () => {
  const th = say('th');
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, locale: 'th-TH' });

  /** At the top, where the page's bar stands above it. */
  const fits = async (page: Page) => {
    await page.evaluate('scrollTo(0, 0)');
    expect(await overflow(page)).toEqual([]);
  };

  test('PayPal: a decline, a cancellation and the payment never make the page wider than the screen', {
    tag: '@soak',
  }, async ({ page }) => {
    const paypal = paypalScreen(page);
    const { taken } = countCaptures(page);
    const order = await orderByPaypal(page, th, 'th');
    await fits(page);
    await order.pay();
    await paypal.isShown();
    await fits(page);
    await paypal.refusedCard.check();
    await paypal.agree.click();
    await expect(order.problem).toContainText(th('order.paypal.declined'));
    await expect(order.problem).toBeInViewport();
    await fits(page);
    await order.agree();
    await order.pay();
    await paypal.isShown();
    await paypal.cancel.click();
    await expect(page.getByText(th('order.cancelled'))).toBeVisible();
    await expect(page.locator('html')).toHaveAttribute('lang', 'th-TH');
    await fits(page);
    await order.agree();
    await order.pay();
    await paypal.isShown();
    await paypal.agree.click();
    await successScreen(page, th).isShown();
    expect(await taken()).toHaveLength(1);
  });
});
