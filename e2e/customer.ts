import { expect, type Page } from '@playwright/test';
import { freshAddress, mailedCode, passwordLink } from './mailbox.ts';
import { accountScreens } from './screens/account.ts';
import { orderScreen } from './screens/order.ts';
import { successScreen } from './screens/success.ts';
import { say } from './texts.ts';

/** Buys and sets the password, which logs in: the page then shows the overview, with one subscription that is ready. */
export async function becomeCustomer(page: Page, plan?: 'plus') {
  const t = say('en');
  const email = freshAddress();
  const order = orderScreen(page, t);
  const success = successScreen(page, t);
  await order.open(plan);
  await order.fill(email);
  await order.pay();
  await success.isShown();
  // On a busy machine its host may look for half a minute (decision 45), and the page asks every ten seconds by then.
  await expect(success.address).toBeVisible({ timeout: 60_000 });
  const account = accountScreens(page, t);
  await account.setPassword(await passwordLink(email));
  await account.openOverview();
  await expect(account.overview).toBeVisible();
  return { email, account };
}

/** Signs up with a mailed code: logged in, without a subscription. */
export async function becomeMember(page: Page) {
  const email = freshAddress();
  const account = accountScreens(page, say('en'));
  await account.openSignUp();
  await account.signUp(email);
  const code = await mailedCode(email);
  await account.code.fill(code);
  await expect(account.welcome).toBeVisible();
  return { email, account, code };
}
