import { variants } from '@fixpoint/testkit/test-gate.ts';
import { expect, test } from '@playwright/test';
import { delayRequest } from '../blocked.ts';
import { testStack } from '../env.ts';
import { desktopAndThaiPhone } from '../looks.ts';
import { freshAddress } from '../mailbox.ts';
import { accountScreens } from '../screens/account.ts';
import { cards, orderScreen } from '../screens/order.ts';
import { say } from '../texts.ts';

for (const [language, look] of variants(desktopAndThaiPhone, 1)) {
  test.describe(`${look.viewport.width} px wide`, () => {
    test.use(look);
    const t = say(language);

    test(`W16 W33 W34 W51 W59 a payment is watched from the press on Pay and covers the page; its refusal is a snack and a box (${language})`, async ({
      page,
    }) => {
      const checks: string[] = [];
      page.on('websocket', socket =>
        socket.on('framesent', ({ payload }) => {
          if (String(payload).includes('orderCheck')) checks.push(String(payload));
        }),
      );
      const order = orderScreen(page, t, language);
      await order.open();
      await order.fill(freshAddress(), cards.needsConfirmation);
      const letGo = await delayRequest(page, '**/v1/order/purchase');
      await order.pay();
      await expect(order.overlay).toBeVisible();
      await expect.poll(() => checks.length).toBeGreaterThanOrEqual(1);
      letGo();
      // The bank's question is on the page, so nothing covers it; the order is asked about all the same.
      await expect(order.answerOf('complete')).toBeVisible();
      await expect(order.overlay).toBeHidden();
      const before = checks.length;
      await expect.poll(() => checks.length).toBeGreaterThan(before);
      await order.answerBank('fail');
      await expect(order.snack('2002')).toContainText(t('order.card.authenticationFailed'));
      await expect(order.problem).toContainText(t('order.card.authenticationFailed'));
      await expect(order.overlay).toBeHidden();

      await order.fillCard(cards.declined);
      await order.pay();
      await expect(order.snack('2002')).toContainText(t('errorCode.2002'));
      await expect(order.problem).toContainText(t('errorCode.2002'));
      await expect(order.email).toBeEnabled();
    });

    test(`W50 a refusal with HTTP 400 is a snack with its code, of a form and of a page that loads (${language})`, async ({
      page,
    }) => {
      const { snack } = orderScreen(page, t, language);
      await page.goto(`${testStack().url}/#/${language}/auth/reset-password?token=nobodys`);
      await expect(snack('8003')).toContainText(t('errorCode.8003'));
      await expect(page.getByRole('heading', { name: t('setPassword.invalid.title') })).toBeVisible();

      const account = accountScreens(page, t, language);
      await account.openLogin();
      await account.email.fill(freshAddress());
      await account.logIn();
      await expect(snack('8005')).toContainText(t('errorCode.8005'));
      await expect(page.getByRole('main').getByText(t('errorCode.8005'))).toBeVisible();
    });
  });
}
