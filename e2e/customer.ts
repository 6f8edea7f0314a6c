import { expect, type Page } from '@playwright/test';
import { freshAddress, passwordLink } from './mailbox.ts';
import { accountScreens } from './screens/account.ts';
import { orderScreen } from './screens/order.ts';
import { successScreen } from './screens/success.ts';
import { say } from './texts.ts';

/** Buys, sets the password and logs in: the page then shows the list of subscriptions, with one that is ready. */
export async function becomeCustomer(page: Page) {
  const t = say('en');
  const email = freshAddress();
  const order = orderScreen(page, t);
  const success = successScreen(page, t);
  await order.open();
  await order.fill(email);
  await order.pay();
  await success.isShown();
  await expect(success.address).toBeVisible({ timeout: 20_000 });
  const account = accountScreens(page, t);
  await account.setPassword(await passwordLink(email));
  await account.logIn();
  await expect(account.subscriptions).toBeVisible();
  return { email, account };
}
