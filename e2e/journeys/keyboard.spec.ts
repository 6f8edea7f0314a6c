import { expect, test } from '@playwright/test';
import { countCharges } from '../charges.ts';
import { becomeCustomer } from '../customer.ts';
import { testStack } from '../env.ts';
import { keyboard } from '../keyboard.ts';
import { freshAddress } from '../mailbox.ts';
import { cards, orderScreen } from '../screens/order.ts';
import { successScreen } from '../screens/success.ts';
import { upgradeScreen } from '../screens/upgrade.ts';
import { say } from '../texts.ts';

const t = say('en');
const to = (path: string) => `${testStack().url}/#/en/management/${path}`;

test("A customer corrects a failing purchase by keyboard alone: missing fields, the bank's refusal, its question", async ({
  page,
}) => {
  const keys = keyboard(page);
  const order = orderScreen(page, t);
  const charges = countCharges(page);
  await order.open();
  await order.cardReady();
  await order.mayPay();
  await keys.press(order.payButton);
  const summary = page.getByRole('alert').filter({ hasText: t('order.errors.title') });
  await expect(summary).toBeFocused();
  await keys.press(summary.getByRole('link', { name: t('order.card.number.missing') }));
  await expect(order.cardNumber).toBeFocused();
  await page.reload();

  await keys.type(order.email, freshAddress());
  await order.typeCard(keys, cards.wrongCode);
  await keys.press(page.getByLabel(t('order.terms')), 'Space');
  await order.mayPay();
  await keys.press(order.payButton);
  // The error is announced, and the focus is at the field.
  await expect(order.problem).toContainText(t('order.card.cvc.wrong'));
  await expect(order.payDocument.locator('#card-cvc-error')).toBeVisible();
  await expect(order.cardCode).toBeFocused();

  // The bank's card for wrong codes needs another number; the focus moves back from there.
  for (const _ of ['expiry', 'number']) await page.keyboard.press('Shift+Tab');
  await expect(order.cardNumber).toBeFocused();
  await page.keyboard.press('Control+A');
  await page.keyboard.type(cards.needsConfirmation);
  await keys.press(order.payButton);
  await keys.press(order.answerOf('fail'));
  await expect(order.problem).toContainText(t('order.card.authenticationFailed'));
  await expect(page.locator(':focus').getByRole('alert')).toContainText(t('order.card.authenticationFailed'));

  // From the reason the next stops lead to its place, then to the button.
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: t('order.failed.changeCard') })).toBeFocused();
  await keys.press(order.payButton);
  await keys.press(order.answerOf('complete'));
  await successScreen(page, t).isShown();
  await expect(successScreen(page, t).heading).toBeFocused();
  expect(await charges()).toHaveLength(1);
});

test('A customer adds a card with 3-D Secure, makes another the default and removes it by keyboard alone', {
  tag: '@soak',
}, async ({ page }) => {
  await becomeCustomer(page);
  const keys = keyboard(page);
  const order = orderScreen(page, t);
  await page.goto(to('billing'));
  await keys.press(page.getByRole('button', { name: t('billing.card.add') }));
  await order.typeCard(keys, cards.needsConfirmation);
  await keys.press(page.getByLabel(t('billing.card.asDefault')), 'Space');
  await keys.press(page.getByRole('button', { name: t('billing.card.save') }));
  await keys.press(order.answerOf('complete'));
  await expect(page.getByText(/•••• \d{4}/).first()).toContainText('3220');
  await keys.press(page.getByRole('button', { name: t('billing.card.makeDefault') }));
  await expect(page.getByText(/•••• \d{4}/).first()).toContainText('4242');
  // The button is gone, so the focus moves to the headline above.
  await expect(page.getByRole('heading', { name: t('billing.methods') })).toBeFocused();
  await keys.press(page.getByRole('button', { name: t('account.remove.label', { name: 'Visa •••• 3220' }) }));
  await keys.press(page.getByRole('dialog').getByRole('button', { name: t('account.remove') }));
  await expect(page.getByText('•••• 3220')).toHaveCount(0);
});

test('A customer upgrades, schedules a downgrade and cancels it by keyboard alone', {
  tag: '@soak',
}, async ({ page }) => {
  await becomeCustomer(page);
  const keys = keyboard(page);
  const upgrade = upgradeScreen(page, t);
  const order = orderScreen(page, t);
  await keys.press(page.getByRole('link', { name: /Bangkok/ }));
  await expect(page).toHaveURL(/\/management\/subscription\/sub_/);
  const id = new URL(page.url()).hash.split('/').at(-1)!;
  await upgrade.open(id);
  await keys.choose(upgrade.radio('solo'), upgrade.radio('plus'));
  await keys.press(upgrade.goToPayment);
  await order.mayPay();
  await keys.press(order.terms, 'Space');
  await keys.press(order.payButton);
  await successScreen(page, t).isShown();
  await upgrade.open(id);
  // The payment is visible before its effect.
  await upgrade.isOn('plus');
  await keys.choose(upgrade.radio('plus'), upgrade.radio('solo'));
  await keys.press(upgrade.plan);
  await keys.press(upgrade.undo);
  await expect(upgrade.undo).toBeHidden();
  await expect(page.getByRole('heading').and(page.locator(':focus'))).toBeVisible();
  await page.reload();
  await upgrade.isOn('plus');
});
