import { expect, test } from '@playwright/test';
import { testStack } from '../env.ts';
import { keyboard } from '../keyboard.ts';
import { freshAddress } from '../mailbox.ts';
import { cards, orderScreen } from '../screens/order.ts';
import { successScreen } from '../screens/success.ts';
import { say } from '../texts.ts';

const t = say('en');

test('S64 a purchase with the terms opened and 3-D Secure breaks no rule of the page’s policy, and no card number reaches the shop', async ({
  page,
}) => {
  const violations: string[] = [];
  page.on('console', message => {
    if (/Content Security Policy|TrustedHTML|TrustedScript/.test(message.text()))
      violations.push(message.text());
  });
  page.on('pageerror', error => violations.push(error.message));
  const cardNumber = new RegExp(cards.needsConfirmation.replace(/\d{4}(?=\d)/g, '$&\\s?'));
  const sent: string[] = [];
  page.on('request', request => {
    if (request.url().startsWith(testStack().url)) sent.push(`${request.url()} ${request.postData() ?? ''}`);
  });
  const answer = await page.request.get(testStack().url);
  expect(answer.headers()['content-security-policy']).toContain("require-trusted-types-for 'script'");

  const order = orderScreen(page, t);
  await order.open();
  await page.getByRole('button', { name: t('order.terms.read') }).click();
  const terms = page.getByRole('dialog', { name: t('footer.terms') });
  await expect(terms.getByRole('heading', { level: 2 }).nth(1)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(terms).toBeHidden();

  await order.fill(freshAddress(), cards.needsConfirmation);
  expect(await page.content()).not.toMatch(cardNumber);
  await order.pay();
  await order.answerBank('complete');
  const success = successScreen(page, t);
  await success.isShown();
  await expect(success.address).toBeVisible();
  expect(violations).toEqual([]);
  expect(sent.length).toBeGreaterThan(0);
  expect(sent.join('\n')).not.toMatch(cardNumber);
});

test('A customer buys by keyboard alone', { tag: '@soak' }, async ({ page }) => {
  const order = orderScreen(page, t);
  await order.open();
  await order.email.focus();
  await page.keyboard.type(freshAddress());
  await order.cardReady();
  await page.keyboard.press('Tab');
  await expect(order.company).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(order.card).toBeFocused();
  const keys = keyboard(page);
  for (const part of ['Ann Example', cards.good, '1234', '123']) {
    await keys.tab();
    await page.keyboard.type(part, { delay: 10 });
  }
  await page.keyboard.press('Tab');
  await expect(page.getByLabel(t('order.terms'))).toBeFocused();
  await page.keyboard.press('Space');
  await order.mayPay();
  await page.keyboard.press('Enter');
  await successScreen(page, t).isShown();
});

test('Card fields stay readable when the page turns dark', { tag: '@soak' }, async ({ page }) => {
  const order = orderScreen(page, t);
  await order.open();
  await order.fillCard(cards.good);
  await expect(order.cardNumber).toHaveCSS('color', /^rgb\(\d\d?,/);
  // Only the system changes the theme here: the checkout's bar has no switch.
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(order.cardNumber).toHaveCSS('color', /^rgb\(2\d\d,/);
  await expect(order.cardNumber).toHaveValue(/4242$/);
});
