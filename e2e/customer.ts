import { beginOrder, makeCard, until } from '@fixpoint/testkit/buyer.ts';
import { createClient } from '@fixpoint/testkit/client.ts';
import { expect, type Page } from '@playwright/test';
import { testStack } from './env.ts';
import { emailedCode, freshAddress, passwordLink } from './mailbox.ts';
import { accountScreens } from './screens/account.ts';
import { say } from './texts.ts';

/** Buys by API calls as the order page does; the email with the link to set a password follows. */
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

/** Buys and sets a password, which logs in. The page then shows the overview with one active subscription. */
export async function becomeCustomer(page: Page, plan?: 'plus') {
  const email = await buyAsGuest(plan);
  const account = accountScreens(page, say('en'));
  await account.setPassword(await passwordLink(email));
  await account.openOverview();
  await expect(account.overview).toBeVisible();
  return { email, account };
}

/** Signs up with an emailed code: logged in, without a subscription. */
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
