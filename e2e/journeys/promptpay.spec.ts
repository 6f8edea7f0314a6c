import { readFile } from 'node:fs/promises';
import { variants } from '@fixpoint/testkit/test-gate.ts';
import { expect, test } from '@playwright/test';
import { countCharges } from '../charges.ts';
import { duplicate } from '../duplicate.ts';
import { freshAddress } from '../mailbox.ts';
import { overflow } from '../overflow.ts';
import { phoneShares } from '../phone-shares.ts';
import { readPicture } from '../qr.ts';
import { cards } from '../screens/order.ts';
import { scanScreen } from '../screens/scan.ts';
import { successScreen } from '../screens/success.ts';
import { say } from '../texts.ts';

const t = say('th');

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('PromptPay: the code is passed to the phone as a picture and paid in the banking app', async ({
    page,
  }) => {
    const scan = scanScreen(page, t, 'promptpay', 'th');
    const { closeUnchosen, closed, shared } = await phoneShares(page);
    // A sleeping page gets no events, and polls when it is visible again.
    const news = /\/socket\.io\/|\/order\/purchaseData/;
    await page.routeWebSocket(news, socket => void socket.close());
    await page.route(news, route => route.abort());
    await scan.begin(freshAddress());
    await expect(scan.title).toBeVisible();
    await expect(scan.timer).toContainText(/1[45]:\d\d/);
    await expect(scan.amount).toContainText('THB 199.00');
    // What works on the phone that pays comes before the code, and in sight.
    await expect(scan.save).toBeInViewport();
    const [save, code] = [await scan.save.boundingBox(), await scan.code.boundingBox()];
    expect(save!.y + save!.height).toBeLessThanOrEqual(code!.y);
    await scan.save.click();
    await expect.poll(shared).toHaveLength(1);
    const [picture] = await shared();
    expect(picture).toMatchObject({ name: 'promptpay-199.00.png', type: 'image/png' });
    expect(await readPicture(page, picture!.file)).toBe(await scan.codeText());
    // Closing the phone's share sheet is no error.
    await closeUnchosen();
    await scan.save.click();
    await expect.poll(closed).toBe(1);
    await expect(scan.save).not.toHaveAttribute('aria-busy', 'true');
    await expect(page.getByRole('alert')).toHaveText('');
    await scan.payInApp();
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
    // After payment the page does not say that the code has expired.
    await expect(scan.code).toBeHidden();
    await expect(scan.over).toBeHidden();
    await page.unroute(news);
    await successScreen(page, t).isShown();
  });
});

const looks = [
  ['en', { width: 1280, height: 900 }],
  ['th', { width: 390, height: 844 }],
] as const;

for (const [language, viewport] of variants(looks, 1)) {
  test.describe(`failures, ${viewport.width} px wide`, () => {
    test.use({ viewport });
    const words = say(language);

    test(`PromptPay: an expired code is shown again, also after a reload; a customer who changes to a card pays once (${language})`, async ({
      page,
    }) => {
      const email = freshAddress();
      const scan = scanScreen(page, words, 'promptpay', language);
      const { order } = scan;
      const charges = countCharges(page);
      await scan.begin(email);
      const first = await scan.code.innerHTML();
      await scan.end();
      await expect(scan.over).toBeVisible();
      await expect(scan.code).toBeHidden();
      expect(await overflow(page)).toEqual([]);
      await scan.renew.click();
      await expect(scan.code).toBeVisible();
      expect(await scan.code.innerHTML()).not.toBe(first);

      await scan.end();
      await expect(scan.over).toBeVisible();
      await page.reload();
      await expect(page.getByText(words('order.unfinished'))).toBeVisible();
      await expect(order.email).toHaveValue(email);
      await order.agree();
      await order.pay();
      await expect(scan.code).toBeVisible();

      await scan.leave.click();
      await page.getByRole('radio', { name: words('plans.pay.card') }).check();
      await order.fillCard(cards.good);
      await order.pay();
      await successScreen(page, words).isShown();
      expect(await charges()).toHaveLength(1);
    });
  });
}

test.describe('in English on a desk', () => {
  const en = say('en');
  test.use({ viewport: { width: 1280, height: 900 } });

  test('PromptPay: by keyboard, a reload, going back and a second window show the same code, paid once', {
    tag: '@soak',
  }, async ({ page, context }) => {
    const scan = scanScreen(page, en, 'promptpay');
    await scan.beginByKeyboard(freshAddress());
    const code = await scan.code.innerHTML();
    expect(await readPicture(page, await scan.code.screenshot())).toBe(await scan.codeText());
    const download = page.waitForEvent('download');
    await scan.save.click();
    const saved = await download;
    expect(saved.suggestedFilename()).toBe('promptpay-199.00.png');
    expect(await readPicture(page, await readFile(await saved.path()))).toBe(await scan.codeText());
    await page.reload();
    await expect(scan.code).toBeVisible();
    expect(await scan.code.innerHTML()).toBe(code);
    await page.getByRole('link', { name: 'Fixpoint' }).first().click();
    await expect(scan.code).toBeHidden();
    await page.goBack();
    await expect(scan.code).toBeVisible();
    const second = await duplicate(context, page);
    const there = scanScreen(second, en, 'promptpay');
    await expect(there.code).toBeVisible();
    expect(await there.code.innerHTML()).toBe(code);
    await scan.payInApp();
    for (const window of [page, second]) await successScreen(window, en).isShown();
  });
});
