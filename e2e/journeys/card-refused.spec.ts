import { variants } from '@fixpoint/testkit/test-gate.ts';
import { expect, test } from '@playwright/test';
import { countCharges } from '../charges.ts';
import { desktopAndThaiPhone } from '../looks.ts';
import { freshAddress } from '../mailbox.ts';
import { cards, orderScreen } from '../screens/order.ts';
import { successScreen } from '../screens/success.ts';
import { say } from '../texts.ts';

for (const [language, look] of variants(desktopAndThaiPhone, 1)) {
  test.describe(`${look.viewport.width} px wide`, () => {
    test.use(look);
    const t = say(language);

    test(`A declined card keeps the order, and another card pays it once (${language})`, async ({ page }) => {
      const email = freshAddress();
      const order = orderScreen(page, t, language);
      const charges = countCharges(page);
      await order.open();
      await order.fill(email, cards.declined);
      await order.pay();
      await expect(order.problem).toContainText(t('errorCode.2002'));
      await expect(order.email).toHaveValue(email);
      await expect(order.cardNumber).toHaveValue(/0002$/);
      expect(await charges()).toHaveLength(0);
      // U30: the step is marked, and the box leads to the card and to the other methods.
      await expect(page.getByRole('heading', { name: t('order.payment.title') })).toContainText(
        t('order.step.wrong'),
      );
      await order.problem.getByRole('button', { name: t('order.scan.leave') }).click();
      await expect(order.card).toBeFocused();
      await order.problem.getByRole('button', { name: t('order.failed.changeCard') }).click();
      await expect(order.cardNumber).toBeFocused();

      await order.fillCard(cards.good);
      await order.pay();
      await successScreen(page, t).isShown();
      expect(await charges()).toHaveLength(1);
    });

    test(`FU7 a decline for insufficient funds has its own text, and a wrong security code is marked (${language})`, async ({
      page,
    }) => {
      const order = orderScreen(page, t, language);
      await order.open();
      await order.fill(freshAddress(), cards.insufficientFunds);
      await order.pay();
      await expect(order.problem).toContainText(t('errorCode.insufficient_funds'));

      await order.fillCard(cards.wrongCode);
      await order.pay();
      await expect(order.problem).toContainText(t('order.card.cvc.wrong'));
      await expect(order.payDocument.locator('#card-cvc-error')).toContainText(t('order.card.cvc.wrong'));
      await expect(order.payDocument.locator('#card-number-error')).toHaveCount(0);
    });

    test(`3-D Secure: the bank confirms, and the order is paid (${language})`, { tag: '@soak' }, async ({
      page,
    }) => {
      const order = orderScreen(page, t, language);
      const charges = countCharges(page);
      await order.open();
      await order.fill(freshAddress(), cards.needsConfirmation);
      await order.pay();
      await order.answerBank('complete');
      await successScreen(page, t).isShown();
      expect(await charges()).toHaveLength(1);
    });

    test(`3-D Secure: the bank declines, the page says so, and the next try pays (${language})`, async ({
      page,
    }) => {
      const order = orderScreen(page, t, language);
      const charges = countCharges(page);
      await order.open();
      await order.fill(freshAddress(), cards.needsConfirmation);
      await order.pay();
      await order.answerBank('fail');
      await expect(order.problem).toContainText(t('order.card.authenticationFailed'));
      await order.pay();
      await order.answerBank('complete');
      await successScreen(page, t).isShown();
      expect(await charges()).toHaveLength(1);
    });
  });
}
