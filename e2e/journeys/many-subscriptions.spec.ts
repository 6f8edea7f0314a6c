import { readFile } from 'node:fs/promises';
import type { Language } from '@fixpoint/contract/languages.ts';
import { isFullRun } from '@fixpoint/testkit/test-gate.ts';
import { expect, type Page, test } from '@playwright/test';
import { violationsInBothThemes } from '../axe.ts';
import { becomeCustomer } from '../customer.ts';
import { testStack } from '../env.ts';
import { overflow } from '../overflow.ts';
import { startOwnStack } from '../own-stack.ts';
import { say } from '../texts.ts';

const phone = { width: 390, height: 844 };
const languages: Language[] = isFullRun ? ['en', 'th'] : ['en'];

let stack: Awaited<ReturnType<typeof startOwnStack>>;
test.setTimeout(240_000);
test.beforeAll(async () => {
  stack = await startOwnStack();
});
test.afterAll(() => stack?.stop());

/** Becomes a company of so many subscriptions with five invoices each. @returns the id of the first */
async function becomeCompany(page: Page, count: number): Promise<string> {
  await becomeCustomer(page);
  await page.getByRole('link', { name: /Bangkok/ }).click();
  await expect(page).toHaveURL(/\/subscription\/sub_/);
  const id = new URL(page.url()).hash.split('/').at(-1)!;
  if (count > 1) await stack.multiply(id, count, 5);
  return id;
}

const to = (language: Language, path: string) => `${testStack().url}/#/${language}/management/${path}`;

test('UX22 UX23 UX25 a company finds one of 200 subscriptions by its label in three taps, and a year of invoices in one download', async ({
  page,
}) => {
  await becomeCompany(page, 200);
  await page.setViewportSize(phone);
  for (const language of languages) {
    const t = say(language);
    await page.goto(to(language, 'dashboard'));
    await page.reload();
    await expect(page.getByText(t('subscriptions.shown', { count: '3', total: '200' }))).toBeVisible();
    await page.getByRole('link', { name: t('subscription.all') }).click();
    await page.getByLabel(t('subscriptions.search')).click();
    await page.keyboard.type('office 117');
    await expect(page.getByText(t('list.range', { from: '1', to: '1', total: '1' }))).toBeVisible();
    expect(await overflow(page)).toEqual([]);
    expect(await violationsInBothThemes(page)).toEqual([]);
    await page.getByRole('link', { name: 'Office 117' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Office 117' })).toBeVisible();
    await expect(page).toHaveTitle(new RegExp(`^${t('subscription.title')} Office 117`));

    await page.goto(to(language, 'billing'));
    const newest = page.getByLabel(t('billing.year')).locator('option').nth(1);
    await expect(newest).toHaveText(/^20\d\d$/);
    const year = (await newest.textContent())!;
    await page.getByLabel(t('billing.year')).selectOption(year);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: t('billing.export.zip', { year }) }).click();
    const file = await download;
    expect(file.suggestedFilename()).toBe(`${year}.zip`);
    expect((await readFile(await file.path())).subarray(0, 4).toString()).toBe('PK\u0003\u0004');
    // Nobody has generated documents of the copied invoices.
    const missing = t('billing.export.missing', { numbers: '' }).split(':')[0]!;
    await expect(page.getByText(missing)).toBeVisible();
    expect(await overflow(page)).toEqual([]);
  }
});

test('UX23 UX24 a page of the list is in its address; turning it moves the focus to the headline and says which it is', async ({
  page,
}) => {
  const t = say('en');
  await becomeCompany(page, 40);
  await page.goto(to('en', 'subscription'));
  await expect(page.getByRole('row')).toHaveCount(21);
  await page.getByLabel(t('billing.sort')).selectOption('name');
  await expect(page.getByRole('link', { name: 'Office 002' })).toBeVisible();
  const next = page.getByRole('button', { name: t('subscriptions.next') });
  await next.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  const status = `${t('list.range', { from: '21', to: '40', total: '40' })} · ${t('list.page', { page: '2', pages: '2' })}`;
  await expect(page.getByRole('status').filter({ hasText: status })).toBeVisible();
  await expect(next).toBeDisabled();
  await page.getByRole('link', { name: 'Office 030' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Office 030' })).toBeVisible();
  await page.goBack();
  await expect(page.getByText(status)).toBeVisible();
  await expect(page.getByRole('link', { name: 'Office 030' })).toBeVisible();
  await expect(page.getByLabel(t('billing.sort'))).toHaveValue('name');
});

test('UX22 a subscription is named in place, by keyboard, and the name is everywhere', async ({ page }) => {
  const t = say('en');
  const id = await becomeCompany(page, 2);
  const rename = page.getByRole('button', { name: t('subscription.rename') });
  await rename.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByLabel(t('subscription.rename.label'))).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(rename).toBeFocused();
  await page.keyboard.press('Enter');
  await page.keyboard.type('Office router');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Office router' })).toBeVisible();
  await expect(rename).toBeFocused();
  await page.goto(to('en', 'billing'));
  await expect(page.getByRole('link', { name: 'Office router' }).first()).toBeVisible();
  await page.goto(to('en', `subscription/${id}/bandwidth-control`));
  await expect(page).toHaveTitle(/Office router/);
});

test('a company copies all of its addresses, and a firewall reads them by a URL until that is turned off', async ({
  page,
  request,
  context,
}) => {
  const t = say('en');
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await becomeCompany(page, 40);
  await page.setViewportSize(phone);
  await page.goto(to('en', 'subscription'));
  await page.getByRole('link', { name: t('allowList.title') }).click();
  await expect(page.getByRole('row')).toHaveCount(41);
  await page.getByRole('button', { name: t('allowList.copy') }).click();
  await expect(page.getByText(t('app.copied')).first()).toBeVisible();
  const copied = await page.evaluate<string>('navigator.clipboard.readText()');
  expect(
    new Set(
      copied
        .trim()
        .split('\n')
        .filter(line => !line.includes(':')),
    ).size,
  ).toBe(40);
  await page.getByRole('button', { name: t('allowList.url.create') }).click();
  const shown = page.getByText(/\/allow-list\/[\w-]+\.txt$/);
  const url = (await shown.textContent())!;
  expect(await (await request.get(url)).text()).toBe(copied);
  expect(await overflow(page)).toEqual([]);
  expect(await violationsInBothThemes(page)).toEqual([]);
  await page.getByRole('button', { name: t('allowList.url.off') }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('allowList.url.off') })
    .click();
  await expect(page.getByRole('button', { name: t('allowList.url.create') })).toBeVisible();
  expect((await request.get(url)).status()).toBe(400);
});

/** Sum of the layout shifts since the page was opened, without those right after an input. */
const shifts = (page: Page) =>
  page.evaluate<number>(`new Promise(resolve => {
    let sum = 0;
    new PerformanceObserver(list => {
      for (const entry of list.getEntries()) if (!entry.hadRecentInput) sum += entry.value;
    }).observe({ type: 'layout-shift', buffered: true });
    requestAnimationFrame(() => requestAnimationFrame(() => resolve(sum)));
  })`);

test('UX40 lists do not shift when their answers come late, at 1 and at 200 subscriptions', {
  tag: '@soak',
}, async ({ page }) => {
  const id = await becomeCompany(page, 1);
  let open = Promise.withResolvers<void>();
  await page.route(/\/v1\/(subscription|billing|payment)\//, async route => {
    await open.promise;
    await route.continue();
  });
  const found: string[] = [];
  for (const count of [1, 200]) {
    if (count > 1) await stack.multiply(id, count, 5);
    for (const size of [phone, { width: 1280, height: 900 }]) {
      await page.setViewportSize(size);
      for (const path of ['dashboard', 'subscription', 'billing', `subscription/${id}`]) {
        open = Promise.withResolvers<void>();
        await page.goto('about:blank');
        await page.goto(to('en', path));
        await expect(page.locator('[aria-label="Loading"]').first()).toBeVisible();
        open.resolve();
        await expect(page.locator('[aria-label="Loading"]')).toHaveCount(0);
        await expect(page.getByRole('main').getByRole('link').first()).toBeVisible();
        const sum = await shifts(page);
        if (sum > 0.05) found.push(`${path} at ${count}, ${size.width} px: ${sum.toFixed(3)}`);
      }
    }
  }
  expect(found).toEqual([]);
});

test('UX32 a walk by keyboard over the account area never loses the focus', { tag: '@soak' }, async ({
  page,
}) => {
  // Some two hundred presses, and the network is waited for after each.
  test.setTimeout(900_000);
  const t = say('en');
  const id = await becomeCompany(page, 40);
  const isLost = () => page.evaluate<boolean>(`document.activeElement === document.body`);
  const name = () =>
    page.evaluate<string>(
      `(document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent ?? '').trim().slice(0, 40)`,
    );
  /** These leave the account, change it for good, or need a provider's page. */
  const leaves = [t('nav.logout'), t('account.sessions.endOthers'), t('why.look'), t('billing.card.add')];
  const lost: string[] = [];
  for (const path of [
    'dashboard',
    'subscription',
    `subscription/${id}`,
    `subscription/${id}/bandwidth-control`,
    'billing',
    'my-account',
  ]) {
    await page.goto(to('en', path));
    await page.reload();
    await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.locator('[aria-label="Loading"]')).toHaveCount(0);
    const buttons = page.getByRole('main').locator('button:not([type=submit]):not(:disabled), summary');
    for (let n = 0; n < (await buttons.count()); n += 1) {
      const button = buttons.nth(n);
      if (!(await button.isVisible())) continue;
      await button.focus();
      const pressed = await name();
      if (leaves.some(word => pressed.startsWith(word))) continue;
      await page.keyboard.press('Enter');
      await page.waitForLoadState('networkidle');
      const dialog = page.getByRole('dialog');
      // A dialog may still be opening, or ask for a password in a second one.
      for (let left = 0; left < 3 && (await dialog.isVisible()); left += 1) {
        await page.keyboard.press('Escape');
        await dialog.waitFor({ state: 'hidden', timeout: 5_000 }).catch(() => undefined);
      }
      await expect(dialog, pressed).toBeHidden();
      if (await isLost()) lost.push(`${path}: ${pressed}`);
    }
    // A pressed button may have opened something late.
    await page.reload();
    await page.getByRole('main').getByRole('heading', { level: 1 }).focus();
    for (let stops = 0; stops < 150; stops += 1) {
      await page.keyboard.press('Tab');
      const end = await page.evaluate<boolean>(
        `!document.hasFocus() || document.activeElement === document.body`,
      );
      if (end) break;
    }
    // The last stop of the page, then the browser's own: nothing in between.
    await page.keyboard.press('Shift+Tab');
    if (await isLost()) lost.push(`${path}: end`);
  }
  expect(lost).toEqual([]);
});
