import { isFullRun, variants } from '@fixpoint/testkit/test-gate.ts';
import { type Browser, expect, type Page, test } from '@playwright/test';
import { violationsInBothThemes } from '../axe.ts';
import { testStack } from '../env.ts';
import { freshAddress, payLink } from '../mailbox.ts';
import { overflow } from '../overflow.ts';
import { startOwnStack } from '../own-stack.ts';
import { orderScreen } from '../screens/order.ts';
import { paypalScreen } from '../screens/paypal.ts';
import { scanScreen } from '../screens/scan.ts';
import { successScreen } from '../screens/success.ts';
import { say } from '../texts.ts';

// One after the other, because the clock advances for all.
test.describe.configure({ mode: 'default' });
test.setTimeout(240_000);

const phone = { width: 390, height: 844 };

let stack: Awaited<ReturnType<typeof startOwnStack>>;
test.beforeAll(async () => {
  stack = await startOwnStack();
});
test.afterAll(() => stack?.stop());

/** Opens a link as a mail app does: in a browser that has never seen the shop. */
async function openLink(browser: Browser, link: string): Promise<Page> {
  const page = await (await browser.newContext({ viewport: phone })).newPage();
  await page.goto(link);
  return page;
}

for (const language of variants(['en', 'th'] as const, 1)) {
  test(`U78 a PromptPay customer renews from the email twice, without a login and on another phone (${language})`, async ({
    browser,
    page,
  }) => {
    const t = say(language);
    await page.setViewportSize(phone);
    const email = freshAddress();
    const first = scanScreen(page, t, 'promptpay', language);
    await first.begin(email);
    await first.payInApp();
    await expect(successScreen(page, t).address).toBeVisible();

    const links: string[] = [];
    // The invoice exists a week before the end of the shortest month.
    for (const days of [25, 31]) {
      await stack.advance(days);
      const link = await payLink(email, links);
      links.push(link);
      const payer = await openLink(browser, link);
      await expect(payer.getByRole('heading', { level: 1, name: t('payLink.title') })).toBeVisible();
      const main = payer.getByRole('main');
      await expect(main.getByText(t('billing.period'), { exact: true })).toBeVisible();
      await expect(main.getByText(/THB\s199\.00/).first()).toBeVisible();
      for (const personal of [email, /\d+\.\d+\.\d+\.\d+/, /Solo/])
        await expect(main).not.toContainText(personal);
      expect(await overflow(payer)).toEqual([]);
      if (links.length === 1) {
        expect(await violationsInBothThemes(payer)).toEqual([]);
        // Nothing of a payer is saved, so nobody is told that their card is.
        await payer.getByRole('radio', { name: t('billing.method.card') }).check();
        await expect(payer.getByLabel(t('order.card.name'))).toBeVisible();
        await expect(payer.getByText(t('order.card.consent'))).toBeHidden();
        // Back from PayPal, which refuses, the payer is on the same page.
        const paypal = paypalScreen(payer);
        await payer.getByRole('radio', { name: t('billing.method.paypal') }).check();
        await orderScreen(payer, t, language).pay();
        await paypal.isShown();
        await paypal.refusedCard.check();
        await paypal.agree.click();
        await expect(orderScreen(payer, t, language).problem).toContainText(t('order.paypal.declined'));
      }
      const scan = scanScreen(payer, t, 'promptpay', language);
      await payer.getByRole('radio', { name: t('billing.method.promptpay') }).check();
      await orderScreen(payer, t, language).pay();
      await expect(scan.code).toBeVisible();
      if (isFullRun) expect(await violationsInBothThemes(payer)).toEqual([]);
      await scan.payInApp();
      await expect(payer.getByRole('heading', { level: 1, name: t('payLink.paid.title') })).toBeVisible();
      if (isFullRun) expect(await violationsInBothThemes(payer)).toEqual([]);
      await payer.context().close();
    }
    const late = await openLink(browser, links[0]!);
    await expect(late.getByRole('heading', { level: 1, name: t('payLink.paid.title') })).toBeVisible();
    await late.goto(
      `${testStack().url}/#/${language}/pay?token=${links[0]!.split('token=')[1]!.slice(0, -2)}AA`,
    );
    await late.reload();
    await expect(late.getByRole('heading', { level: 1, name: t('payLink.dead.title') })).toBeVisible();
    await late.context().close();
  });
}
