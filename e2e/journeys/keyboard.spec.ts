import { expect, test } from '@playwright/test';
import { becomeCustomer } from '../customer.ts';
import { testStack } from '../env.ts';
import { keyboard } from '../keyboard.ts';
import { cards, orderScreen } from '../screens/order.ts';
import { successScreen } from '../screens/success.ts';
import { upgradeScreen } from '../screens/upgrade.ts';
import { say } from '../texts.ts';

const t = say('en');
const to = (path: string) => `${testStack().url}/#/en/management/${path}`;

test('The keyboard alone adds a card past the bank’s question, makes another the default, removes it', async ({
  page,
}) => {
  await becomeCustomer(page);
  const keys = keyboard(page);
  const order = orderScreen(page, t);
  await page.goto(to('billing'));
  await keys.press(page.getByRole('button', { name: t('billing.card.add') }));
  await order.typeCard(keys, cards.needsConfirmation);
  await keys.press(page.getByRole('button', { name: t('billing.card.save') }));
  await keys.press(order.answerOf('complete'));
  await expect(page.getByText(/•••• \d{4}/).first()).toContainText('3220');
  await keys.press(page.getByRole('button', { name: t('billing.card.makeDefault') }));
  await expect(page.getByText(/•••• \d{4}/).first()).toContainText('4242');
  await keys.press(page.getByRole('button', { name: t('account.remove.label', { name: 'Visa •••• 3220' }) }));
  await keys.press(page.getByRole('dialog').getByRole('button', { name: t('account.remove') }));
  await expect(page.getByText('•••• 3220')).toHaveCount(0);
});

test('The keyboard alone changes to a bigger plan, plans a cheaper one and takes that back', async ({
  page,
}) => {
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
  await keys.press(order.payButton);
  await successScreen(page, t).isShown();
  await upgrade.open(id);
  await keys.choose(upgrade.radio('plus'), upgrade.radio('solo'));
  await keys.press(upgrade.plan);
  await keys.press(upgrade.undo);
  await expect(upgrade.undo).toBeHidden();
  await page.reload();
  await upgrade.isOn('plus');
});
