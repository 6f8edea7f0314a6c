import { beginOrder, makeCard, until } from '@fixpoint/testkit/buyer.ts';
import { createClient } from '@fixpoint/testkit/client.ts';
import { expect, type Page } from '@playwright/test';
import { testStack } from './env.ts';
import { emailedCode, freshAddress, passwordLink } from './mailbox.ts';
import { accountScreens } from './screens/account.ts';
import { say } from './texts.ts';

/** Buys as the order page does, without drawing it (its own journeys do): the link to set a password is on its way. */
export async function buyAsGuest(plan?: 'plus'): Promise<string> {
  const email = freshAddress();
  const visitor = createClient(testStack().url);
  const { consent, metadata } = await beginOrder(visitor, plan && { planId: plan });
  await visitor.order.purchase({ body: { ...consent, email, language: 'en' } });
  await visitor.order.confirmPurchase({ body: { metadata, card: await makeCard(testStack()) } });
  const isReady = async () =>
    (await visitor.order.purchaseData({ body: { metadata } })).data?.status === 'fulfilled';
  await until(isReady, 'the bought subscription');
  return email;
}

/** Buys and sets the password, which logs in: the page then shows the overview, with one subscription that is ready. */
export async function becomeCustomer(page: Page, plan?: 'plus') {
  const email = await buyAsGuest(plan);
  const account = accountScreens(page, say('en'));
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
  const code = await emailedCode(email);
  await account.code.fill(code);
  await expect(account.welcome).toBeVisible();
  return { email, account, code };
}
