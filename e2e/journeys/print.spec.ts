import { expect, test } from '@playwright/test';
import { becomeCustomer } from '../customer.ts';
import { testStack } from '../env.ts';
import { say } from '../texts.ts';

const t = say('en');
/** A4 at 96 dots per inch, without the margins of a browser. */
const SHEET = { width: 718, height: 1047 };

test('UX42 A printed page of the account is its content alone: a table, in light colours, with its address', async ({
  page,
}) => {
  await becomeCustomer(page);
  await page.setViewportSize(SHEET);
  await page.emulateMedia({ colorScheme: 'dark' });
  const style = (of: string): Promise<string> => page.evaluate(`getComputedStyle(${of}`);
  for (const path of ['billing', 'dashboard', 'subscription', 'my-account']) {
    await page.emulateMedia({ media: 'screen' });
    await page.goto(`${testStack().url}/#/en/management/${path}`);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    if (path === 'billing') await expect(page.getByRole('cell', { name: 'THB' }).first()).toBeVisible();
    await page.emulateMedia({ media: 'print' });
    // As the browser does before it prints.
    await page.evaluate("dispatchEvent(new Event('beforeprint'))");
    for (const role of [
      'banner',
      'contentinfo',
      'navigation',
      'button',
      'combobox',
      'textbox',
      'radio',
    ] as const)
      await expect(page.getByRole(role), `${role} of ${path}`).toHaveCount(0);
    expect(await style(`document.body, '::after').content`)).toContain(`/#/en/management/${path}`);
    expect(await style('document.documentElement).backgroundColor')).toBe('rgb(251, 249, 245)');
    if (path !== 'billing') continue;
    expect(await style("document.querySelector('tbody tr')).display")).toBe('table-row');
    await expect(page.getByRole('columnheader', { name: t('billing.total') })).toBeVisible();
  }
});
