import { expect, type Locator, type Page, test } from '@playwright/test';
import { becomeCustomer } from '../customer.ts';
import { testStack } from '../env.ts';
import { startOwnStack } from '../own-stack.ts';
import { orderScreen } from '../screens/order.ts';
import { say } from '../texts.ts';

const t = say('en');
test.use({ forcedColors: 'active' });
test.setTimeout(240_000);

type Drawn = Record<'borderTop' | 'borderBottom' | 'borderTopWidth' | 'outline', string>;

/** Lines around an element as drawn, which forced colours leave when they take backgrounds and shadows. */
const linesOf = (of: Locator) =>
  of.evaluate(each => {
    const page = globalThis as unknown as { getComputedStyle(of: unknown): Drawn };
    const { borderTop, borderBottom, borderTopWidth, outline } = page.getComputedStyle(each);
    return { borderTop, borderBottom, borderTopWidth, outline };
  });

/** Expects that the chosen one of several has other lines than the rest. */
async function differs(chosen: Locator, other: Locator): Promise<void> {
  await expect(chosen).toBeVisible();
  expect(await linesOf(chosen)).not.toEqual(await linesOf(other));
}

const open = (page: Page, path: string) => page.goto(`${testStack().url}/#/en/${path}`);

test('U83 with forced colours the chosen method and the pay button are told apart by their lines', {
  tag: '@soak',
}, async ({ page }) => {
  const order = orderScreen(page, t);
  await order.open();
  const row = (method: Locator) => page.locator('label').filter({ has: method }).locator('xpath=..');
  await order.choosePaypal();
  await differs(row(order.paypal), row(order.card));
  expect((await linesOf(order.payButton)).borderTopWidth).toBe('3px');
});

test('U83 with forced colours the current page of the account and of its lists is told apart by its lines', {
  tag: '@soak',
}, async ({ page }) => {
  const stack = await startOwnStack();
  try {
    await becomeCustomer(page);
    await page.getByRole('link', { name: /Bangkok/ }).click();
    await expect(page).toHaveURL(/\/subscription\/sub_/);
    await stack.multiply(new URL(page.url()).hash.split('/').at(-1)!, 25, 1);
    await open(page, 'management/subscription');
    const pages = page.getByRole('navigation', { name: t('subscriptions.pages') });
    const turn = (number: string) =>
      pages.getByRole('button', { name: t('subscriptions.page', { page: number }) });
    await differs(turn('1'), turn('2'));
    const menu = page.getByRole('navigation', { name: t('nav.account') });
    await differs(menu.locator('a[aria-current=page]'), menu.locator('a:not([aria-current=page])').first());
  } finally {
    await stack.stop();
  }
});
