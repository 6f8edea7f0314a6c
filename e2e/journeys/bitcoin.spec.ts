import { expect, test } from '@playwright/test';
import { duplicate } from '../duplicate.ts';
import { testStack } from '../env.ts';
import { keyboard } from '../keyboard.ts';
import { freshAddress, passwordLink } from '../mailbox.ts';
import { overflow } from '../overflow.ts';
import { accountScreens } from '../screens/account.ts';
import { scanScreen } from '../screens/scan.ts';
import { successScreen } from '../screens/success.ts';
import { ending, say } from '../texts.ts';

const t = say('en');

test('Bitcoin: the order shows a code, sees the coins, and is settled by a block', async ({ page }) => {
  const scan = scanScreen(page, t, 'bitcoin');
  await scan.begin(freshAddress());
  await expect(scan.title).toBeVisible();
  await expect(scan.timer).toContainText(/1[45]:\d\d/);
  const invoice = await scan.invoice();
  await scan.send();
  await expect(scan.waits).toBeVisible();
  await scan.mine(invoice);
  await successScreen(page, t).isShown();
});

test('Bitcoin: an underpayment shows the missing amount; a second payment pays it, and the surplus becomes credit', {
  tag: '@soak',
}, async ({ page }) => {
  // Waits for the scheduled task that turns the surplus into credit, once a minute.
  test.slow();
  const scan = scanScreen(page, t, 'bitcoin');
  const success = successScreen(page, t);
  const email = freshAddress();
  await scan.begin(email);
  const price = Number(await scan.shownAmount());
  const invoice = await scan.invoice();
  const address = await scan.shownAddress();
  await scan.send(0.5);
  await expect(scan.part).toBeVisible();
  expect(await scan.shownAddress()).toBe(address);
  const missing = await scan.shownAmount();
  expect(Number(missing)).toBeCloseTo(price / 2, 7);
  await expect(scan.part).toContainText(`${missing} BTC`);
  await scan.send(2);
  await scan.mine(invoice);
  await success.isShown();
  // Half of THB 199.00; a coin is worth no whole number of satang.
  await expect(success.surplus).toContainText(/THB\s99\.[45]\d/);

  await accountScreens(page, t).setPassword(await passwordLink(email));
  await page.goto(`${testStack().url}/#/en/management/billing`);
  const kept = page.getByText(ending(t('billing.credit')));
  // The credit arrives within a minute, without a notification to the page.
  await expect(async () => {
    await page.reload();
    await expect(kept).toContainText(/THB\s99\.[45]\d/, { timeout: 20_000 });
  }).toPass({ timeout: 180_000 });
  await scan.order.open();
  await expect(scan.order.summary.filter({ hasText: /^−THB\s99\.[45]\d$/ })).toBeVisible();
});

test('Bitcoin: double-spent coins are reported, and can be sent again', { tag: '@soak' }, async ({
  page,
}) => {
  const scan = scanScreen(page, t, 'bitcoin');
  await scan.begin(freshAddress());
  const invoice = await scan.invoice();
  await scan.send();
  await expect(scan.waits).toBeVisible();
  await scan.doubleSpend(invoice);
  await expect(scan.gone).toBeVisible();
  await scan.send();
  await scan.mine(invoice);
  await successScreen(page, t).isShown();
});

test('Bitcoin: a reload and a second tab show the same address, by keyboard alone', { tag: '@soak' }, async ({
  page,
  context,
}) => {
  const keys = keyboard(page);
  const scan = scanScreen(page, t, 'bitcoin');
  await scan.beginByKeyboard(freshAddress());
  const address = await scan.shownAddress();
  const invoice = await scan.invoice();
  await page.reload();
  await expect(scan.code).toBeVisible();
  expect(await scan.shownAddress()).toBe(address);

  // Back to the form, and to the code again.
  await keys.press(scan.leave);
  await expect(scan.order.payButton).toBeVisible();
  await scan.goOnByKeyboard();
  await expect(scan.code).toBeVisible();
  expect(await scan.shownAddress()).toBe(address);

  // To another screen and back.
  await keys.press(page.getByRole('link', { name: 'Fixpoint' }).first());
  await expect(scan.code).toBeHidden();
  await page.goBack();
  await expect(scan.code).toBeVisible();

  const other = await duplicate(context, page);
  const there = scanScreen(other, t, 'bitcoin');
  await expect(there.code).toBeVisible();
  expect(await there.shownAddress()).toBe(address);
  await scan.send();
  for (const window of [scan, there]) await expect(window.waits).toBeVisible();
  await scan.mine(invoice);
  for (const window of [page, other]) await successScreen(window, t).isShown();
});

test('Bitcoin: an expired price is renewed by itself, and coins sent in time are not lost', {
  tag: '@soak',
}, async ({ page }) => {
  const scan = scanScreen(page, t, 'bitcoin');
  await scan.begin(freshAddress());
  const invoice = await scan.invoice();
  await scan.end();
  await expect(scan.renewed).toBeVisible();
  await expect(scan.code).toBeVisible();
  expect(await scan.invoice()).not.toBe(invoice);
  // A payment to the previous address counts all the same.
  await scan.sendTo(invoice);
  await scan.mine(invoice);
  await successScreen(page, t).isShown();
});

test.describe('on a phone in Thai', () => {
  const th = say('th');
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, locale: 'th-TH' });

  test('Bitcoin: half a payment, an expiry and the rest never make the page wider than the screen', {
    tag: '@soak',
  }, async ({ page }) => {
    const scan = scanScreen(page, th, 'bitcoin', 'th');
    await scan.begin(freshAddress());
    expect(await overflow(page)).toEqual([]);
    const half = await scan.invoice();
    await scan.send(0.5);
    await expect(scan.part).toBeVisible();
    expect(await overflow(page)).toEqual([]);
    await scan.mine(half);
    await scan.endOf(half);
    await expect(scan.renewed).toBeVisible();
    await expect(scan.prepaid).toBeVisible();
    expect(await overflow(page)).toEqual([]);
    const rest = await scan.invoice();
    await scan.send(2);
    await expect(scan.waits).toBeVisible();
    await scan.mine(rest);
    const success = successScreen(page, th);
    await success.isShown();
    await expect(success.surplus).toContainText(/99\.[45]\d/);
    expect(await overflow(page)).toEqual([]);
  });
});
