import { expect, type Locator, type Page, test } from '@playwright/test';
import { becomeCustomer } from '../customer.ts';
import { testStack } from '../env.ts';
import { startOwnStack } from '../own-stack.ts';
import { cards, orderScreen } from '../screens/order.ts';
import { renewalScreen } from '../screens/renewal.ts';
import { successScreen } from '../screens/success.ts';
import { upgradeScreen } from '../screens/upgrade.ts';
import { say } from '../texts.ts';

const t = say('en');

/**
 * What somebody alone needed for each journey before several people could work for an account (commit 2d3bc787): controls that are
 * pressed, things that are typed, and fields on the pages that they meet. The purchase and the first device: `first-connection.spec.ts`
 * and `phone-device.spec.ts`.
 */
const BEFORE = {
  upgrade: { taps: 6, typed: 0, fields: 16 },
  cancel: { taps: 3, typed: 0, fields: 12 },
  payDue: { taps: 3, typed: 4, fields: 7 },
};

test.setTimeout(240_000);

let stack: Awaited<ReturnType<typeof startOwnStack>>;
test.beforeAll(async () => {
  stack = await startOwnStack();
});
test.afterAll(() => stack?.stop());

/** Counts what a person does, and the fields of each page as they leave it. */
function counter(page: Page) {
  let [taps, typed] = [0, 0];
  const fields = new Map<string, number>();
  return {
    count: () => ({ taps, typed, fields: [...fields.values()].reduce((sum, each) => sum + each, 0) }),
    async tap(what: Locator) {
      await expect(what).toBeVisible();
      const shown = page
        .locator(':is(main, dialog, [role=dialog]) :is(input, select, textarea)')
        .filter({ visible: true });
      const route = new URL(page.url()).hash.replace(/sub_\w+/, ':id').split('?')[0]!;
      fields.set(route, await shown.count());
      taps += 1;
      await what.click();
    },
    async type(what: Locator, text: string) {
      typed += 1;
      await what.fill(text);
    },
  };
}

test('Somebody alone upgrades, pays a renewal that is due and cancels with no more taps, typing and fields than before there were teams', {
  tag: '@soak',
}, async ({ page }) => {
  const { account } = await becomeCustomer(page);
  const [order, renewal] = [orderScreen(page, t), renewalScreen(page, t)];
  const subscription = page.getByRole('link', { name: /Bangkok/ }).first();
  const overview = async () => {
    await account.openOverview();
    await expect(account.overview).toBeVisible();
  };

  await test.step('upgrade', async () => {
    await overview();
    const { tap, count } = counter(page);
    const upgrade = upgradeScreen(page, t);
    await tap(subscription);
    await tap(page.getByRole('link', { name: t('upgrade.title') }));
    await tap(upgrade.radio('plus'));
    await tap(upgrade.goToPayment);
    await tap(order.terms);
    await order.mayPay();
    await tap(order.payButton);
    await successScreen(page, t).isShown();
    expect(count()).toEqual(BEFORE.upgrade);
  });

  await test.step('pay a renewal that is due with another card', async () => {
    await page.goto(`${testStack().url}/#/en/management/billing`);
    await page.getByRole('button', { name: t('billing.card.add') }).click();
    await order.fillCard(cards.refusesCharges);
    await page.getByLabel(t('billing.card.asDefault')).check();
    await page.getByRole('button', { name: t('billing.card.save') }).click();
    await expect(page.getByText(/•••• \d{4}/).first()).toContainText('0341');
    await stack.advance(31.5);
    await overview();
    const { tap, type, count } = counter(page);
    await tap(renewal.dueNow);
    await tap(page.getByRole('radio', { name: t('order.card.other') }));
    await order.cardReady();
    await type(page.getByLabel(t('order.card.name')), 'Ann Example');
    await type(order.cardNumber, cards.good);
    await type(order.cardExpiry, '12/34');
    await type(order.cardCode, '123');
    await order.mayPay();
    await tap(order.payButton);
    await expect(renewal.paid).toBeVisible();
    expect(count()).toEqual(BEFORE.payDue);
  });

  await test.step('cancel', async () => {
    await overview();
    const { tap, count } = counter(page);
    await tap(subscription);
    const turnOff = page.getByRole('button', { name: t('renewal.turnOff'), exact: true });
    await tap(turnOff);
    await tap(page.getByRole('dialog').getByRole('button', { name: t('renewal.turnOff'), exact: true }));
    await expect(renewal.isOff).toBeVisible();
    expect(count()).toEqual(BEFORE.cancel);
  });
});
