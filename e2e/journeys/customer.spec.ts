import { written } from '@fixpoint/texts/bundles.ts';
import { expect, test, type WebSocketRoute } from '@playwright/test';
import { violationsInBothThemes } from '../axe.ts';
import { delayRequest } from '../blocked.ts';
import { countCharges } from '../charges.ts';
import { becomeCustomer, becomeMember } from '../customer.ts';
import { testStack } from '../env.ts';
import { emailsWith } from '../mailbox.ts';
import { overflow } from '../overflow.ts';
import { orderScreen } from '../screens/order.ts';
import { subscriptionScreen } from '../screens/subscription.ts';
import { successScreen } from '../screens/success.ts';
import { say } from '../texts.ts';

const t = say('en');

/** Runs in the page: pixels by which its content overflows an element. */
const spill = (element: unknown) => {
  const { scrollWidth, clientWidth } = element as { scrollWidth: number; clientWidth: number };
  return scrollWidth - clientWidth;
};

test('A customer buys a second subscription without typing the address, and lands at its keys', async ({
  page,
}) => {
  const { email } = await becomeCustomer(page);
  const order = orderScreen(page, t);
  await page.goto(`${testStack().url}/#/en/management/subscription/new`);
  // Three presses: the plan, the terms, which are asked for with every order (W45), and Pay.
  await page.getByRole('link', { name: t('plans.choose', { plan: t('plans.name.plus') }) }).click();
  await expect(page.getByText(t('order.email.customer', { email }))).toBeVisible();
  // The card of the first purchase.
  await expect(page.getByText('•••• 4242')).toBeVisible();
  await expect(order.terms).not.toBeChecked();
  await order.pay();
  await expect(page.getByText(t('form.terms.required')).first()).toBeVisible();
  await order.agree();
  await order.pay();
  await successScreen(page, t).isShown();
  // U32: the phone gets its file by a code on this page.
  await subscriptionScreen(page).keyName.fill('phone');
  await page.getByRole('button', { name: t('devices.add') }).click();
  await page.getByRole('button', { name: t('devices.link'), exact: true }).click();
  await expect(page.getByRole('img', { name: t('devices.link.code') })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: t('success.open') }).click();
  await expect(page.getByRole('heading', { level: 1, name: /^\d+(\.\d+){3}$/ })).toBeVisible();
  await expect(subscriptionScreen(page).row('phone')).toBeVisible();
});

test('Changes made while the live connection was down appear when it is back', async ({ page, context }) => {
  let cut = false;
  const lines: WebSocketRoute[] = [];
  await page.routeWebSocket(/\/soc\//, async line => {
    if (cut) return line.close();
    line.connectToServer();
    lines.push(line);
  });
  await becomeCustomer(page);
  await page.getByRole('link', { name: /Bangkok/ }).click();
  const subscription = subscriptionScreen(page);
  await expect(subscription.keyName).toBeVisible();
  cut = true;
  for (const line of lines) await line.close();

  const other = await context.newPage();
  await other.goto(page.url());
  await subscriptionScreen(other).addKey('phone');
  await expect(subscriptionScreen(other).row('phone')).toBeVisible();
  await expect(subscription.row('phone')).toBeHidden();
  cut = false;
  await expect(subscription.row('phone')).toBeVisible();
});

test('At the limit of keys the page asks to delete one instead of failing', async ({ page }) => {
  await becomeCustomer(page);
  await page.getByRole('link', { name: /Bangkok/ }).click();
  const subscription = subscriptionScreen(page);
  await subscription.addKey('laptop');
  await expect(subscription.row('laptop')).toBeVisible();

  // W55: a name is suggested, and required; one that is taken is refused, and its correction is a press away.
  await expect(subscription.keyName).toHaveValue('linux');
  await subscription.keyName.fill('');
  await page.getByRole('button', { name: t('devices.add') }).click();
  await expect(page.getByText(t('form.keyName.required'))).toBeVisible();
  await subscription.keyName.fill('Laptop');
  await page.getByRole('button', { name: t('devices.add') }).click();
  await expect(page.getByRole('main').getByText(t('errorCode.4001'))).toBeVisible();
  await page.getByRole('button', { name: t('devices.label.use', { name: 'Laptop-2' }) }).click();
  await subscription.addKey('Laptop-2');
  await expect(page.getByText(t('keys.full.title'))).toBeVisible();
  await expect(subscription.keyName).toBeHidden();
  const laptop = { name: 'Laptop-2' };
  await page.getByRole('button', { name: t('keys.delete.label', laptop), exact: true }).press('Enter');
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('keys.delete.confirm', laptop) })
    .press('Enter');
  await expect(subscription.keyName).toBeVisible();
  // The focus is not lost with the deleted row.
  await expect(page.getByRole('heading', { name: t('devices.title'), exact: true })).toBeFocused();
});

test('U46 every email of a purchase fits a narrow phone in both themes', {
  tag: '@soak',
}, async ({ page }) => {
  const { email } = await becomeCustomer(page);
  const subject = written.emails.en['ready.subject']!.replace('{address}', '');
  const emails = await emailsWith(email, subject, 1);
  await page.setViewportSize({ width: 360, height: 740 });
  // The shop's page allows no other style.
  await page.goto('about:blank');
  for (const { Subject, HTML } of emails) {
    await page.setContent(HTML);
    expect(await overflow(page), Subject).toEqual([]);
    expect(await violationsInBothThemes(page), Subject).toEqual([]);
  }
});

test('A missing subscription or invoice says so and offers the way back instead of a retry', {
  tag: '@soak',
}, async ({ page }) => {
  await becomeMember(page);
  await page.goto(`${testStack().url}/#/en/management/billing/inv_0000000000000000`);
  await expect(page.getByText(t('invoice.notFound'))).toBeVisible();
  await page.goto(`${testStack().url}/#/en/management/subscription/sub_0000000000000000`);
  await expect(page.getByRole('main').getByText(t('errorCode.6006'))).toBeVisible();
  await expect(page.getByRole('button', { name: t('app.tryAgain') })).toHaveCount(0);
  await page.getByRole('link', { name: t('subscription.all') }).click();
  await expect(page.getByRole('heading', { level: 1, name: t('subscriptions.title') })).toBeVisible();
});

test('On Linux the command has the name of the downloaded file', { tag: '@soak' }, async ({ page }) => {
  await becomeCustomer(page);
  await page.getByRole('link', { name: /Bangkok/ }).click();
  const subscription = subscriptionScreen(page);
  await page.getByRole('radio', { name: t('guide.device.linux') }).check();
  await subscription.keyName.fill('Anns-computer');
  await page.getByRole('button', { name: t('devices.add') }).click();
  const sheet = subscription.sheet('Anns-computer');
  const download = page.waitForEvent('download');
  await sheet.getByRole('button', { name: t('keys.download') }).click();
  const name = (await download).suggestedFilename();
  await expect(sheet.getByText(`sudo openvpn --config ${name}`, { exact: true })).toBeVisible();
});

test('A device name of 60 letters overflows nothing, also while it is deleted on a phone', {
  tag: '@soak',
}, async ({ page }) => {
  await becomeCustomer(page);
  await page.getByRole('link', { name: /Bangkok/ }).click();
  await page.setViewportSize({ width: 390, height: 800 });
  const subscription = subscriptionScreen(page);
  const name = 'W'.repeat(60);
  await subscription.addKey(name);
  await expect(subscription.row(name)).toBeVisible();
  // Its buttons stay beside each other, however long the name.
  for (const width of [1280, 800, 390]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await overflow(page)).toEqual([]);
    const buttons = await subscription.row(name).getByRole('button').all();
    const tops = await Promise.all(buttons.map(async button => (await button.boundingBox())!.y));
    expect(Math.abs(tops[0]! - tops[1]!)).toBeLessThan(10);
  }
  await page.getByRole('button', { name: t('keys.delete.label', { name }) }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toBeVisible();
  for (const part of [dialog, ...(await dialog.getByRole('button').all()), dialog.getByRole('heading')]) {
    const box = await part.boundingBox();
    expect(box!.x + box!.width).toBeLessThanOrEqual(390);
    expect(await part.evaluate(spill)).toBeLessThanOrEqual(0);
  }

  // A request in progress cannot be cancelled, so the page does not show the key as kept.
  const release = await delayRequest(page, '**/v1/subscription/deleteKey');
  await dialog.getByRole('button', { name: t('keys.delete.confirm', { name }) }).click();
  await expect(dialog.getByRole('button', { name: t('keys.delete.keep') })).toBeDisabled();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await expect(dialog).toBeVisible();
  release();
  await expect(dialog).toBeHidden();
  await expect(subscription.row(name)).toBeHidden();
});

test('The same order open in two windows is charged once', { tag: '@soak' }, async ({ page, context }) => {
  const order = orderScreen(page, t);
  await order.open();
  await order.fill('two-windows@example.com', '4000000000000002');
  await order.pay();
  await expect(order.problem).toBeVisible();

  // A duplicated window has the same order.
  const stored = await page.evaluate('JSON.stringify({ ...sessionStorage })');
  const second = await context.newPage();
  await second.addInitScript(`Object.assign(sessionStorage, ${stored})`);
  const charges = countCharges(page, second);
  await second.goto(page.url());
  const other = orderScreen(second, t);
  await expect(other.email).toHaveValue('two-windows@example.com');
  await other.fillCard('4242424242424242');
  await other.agree();
  await order.fillCard('4242424242424242');
  await Promise.all([order.pay(), other.pay()]);
  await successScreen(page, t).isShown();
  await successScreen(second, t).isShown();
  expect(await charges()).toHaveLength(1);
});
