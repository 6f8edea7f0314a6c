import { isFullRun } from '@fixpoint/testkit/test-gate.ts';
import { expect, type Page, test } from '@playwright/test';
import { violationsInBothThemes } from '../axe.ts';
import { becomeCustomer } from '../customer.ts';
import { testStack } from '../env.ts';
import { overflow } from '../overflow.ts';
import { subscriptionScreen } from '../screens/subscription.ts';
import { say } from '../texts.ts';

const t = say('en');
const th = say('th');

/** Runs the diagnosis on a fresh page, with these checks as the answer. */
async function lookWithAnswer(page: Page, checks: object[]): Promise<void> {
  await page.route(/\/diagnose$/, route => route.fulfill({ json: { code: '0000', data: { checks } } }));
  await page.reload();
  await page.getByRole('button', { name: t('why.look') }).click();
}

test('The account shows what the customer has, and leads a second device to its file', async ({
  page,
  browser,
}) => {
  await page.setViewportSize({ width: 1280, height: 900 });
  await becomeCustomer(page);
  const main = page.getByRole('main');

  await test.step('FU16 the overview shows address, connection, next payment and last invoice', async () => {
    await expect(main.getByRole('heading', { name: /^\d+(\.\d+){3}/ })).toBeVisible();
    await expect(main.getByText(t('connected.no'))).toBeVisible();
    await expect(main.getByText(t('payment.next.by', { method: 'Visa •••• 4242' }))).toBeVisible();
    await expect(main.getByRole('heading', { name: t('dashboard.lastInvoice') })).toBeVisible();
    // A number without a bar that fills up.
    await expect(main.getByText(t('subscription.usage.text', { used: '0' }))).toBeVisible();
    await expect(main.getByRole('meter')).toHaveCount(0);
    // A customer without a device is led to the first one.
    await expect(main.getByRole('link', { name: t('devices.add') })).toBeVisible();
  });

  await test.step('OP10 after the terms have changed, those that the customer agreed to stay readable', async () => {
    const changed = { version: 'changed', html: '<h2>Changed</h2>' };
    await page.route(/getTerm$/, route => route.fulfill({ json: { code: '0000', data: changed } }));
    const terms = { name: t('footer.terms') };
    await page.goto(`${testStack().url}/#/en/get-started`);
    await page.getByRole('contentinfo').getByRole('button', terms).click();
    const dialog = page.getByRole('dialog', terms);
    const now = dialog.getByRole('heading', { name: 'Changed' });
    await expect(now).toBeVisible();
    await dialog.getByRole('button', { name: t('legal.agreed') }).click();
    await expect(dialog.getByRole('heading', { name: '1. Who we are' })).toBeVisible();
    await dialog.getByRole('button', { name: t('legal.current') }).click();
    await expect(now).toBeVisible();
    await dialog.getByRole('button', { name: t('app.close') }).click();
    await page.unroute(/getTerm$/);
    await page.goBack();
  });

  await main.getByRole('link', { name: /Bangkok/ }).click();
  await test.step('the details show plan, place, price and the use of each day', async () => {
    const headed = page.getByRole('heading', { name: t('subscription.details') });
    const facts = main.locator('section').filter({ has: headed });
    // Dates and ids are closed.
    await facts.getByText(t('subscription.more')).click();
    const terms = [
      ...['subscription.plan', 'subscription.cycle', 'subscription.region', 'plans.compare.rate'],
      ...['devices.title', 'subscription.ordered', 'subscription.started', 'subscription.renews'],
      ...['subscription.billed', 'subscription.renewal', 'order.summary.total', 'subscription.paidUntil'],
      ...['subscription.id', 'subscription.order'],
    ] as const;
    for (const term of terms) {
      const said = facts.getByRole('term').filter({ hasText: new RegExp(`^${t(term)}$`) });
      await expect(said).toHaveCount(1);
      await expect(said.locator('xpath=following-sibling::dd[1]')).toHaveText(/\S/);
    }
    const place = t('order.summary.place').replaceAll(/\{\w+\}/g, '.+');
    await expect(facts.getByText(new RegExp(`^${place}$`))).toBeVisible();
  });
  await test.step('the history shows events and payments', async () => {
    await expect(main.getByText(t('history.activate'))).toBeVisible();
    await expect(main.getByRole('table', { name: t('billing.invoices') })).toBeVisible();
  });

  const subscription = subscriptionScreen(page);
  await test.step('W43 FU5 a name that no key can have is corrected by one press; its file is the main action', async () => {
    await page.getByRole('radio', { name: t('guide.device.ios') }).check();
    await subscription.keyName.fill('โทรศัพท์ของแอน');
    await page.getByRole('button', { name: t('devices.add') }).click();
    await expect(page.getByText(t('form.keyName.invalid'))).toBeVisible();
    await page.getByRole('button', { name: t('devices.label.use', { name: 'ios' }) }).click();
    await page.getByRole('button', { name: t('devices.add') }).click();
    await expect(subscription.sheet(t('guide.device.ios'))).toBeVisible();
    await expect(page.getByText(t('guide.connect.ios'))).toBeVisible();
    // The list behind the dialog names the device.
    const kind = page.locator('main td').filter({ hasText: t('guide.device.ios') });
    await expect(kind).toHaveCount(1);
  });

  await test.step('FU4 the code leads another device to the file, once', async () => {
    // A computer whose clock is an hour ahead shows the same ten minutes.
    await page.clock.setSystemTime(Date.now() + 60 * 60_000);
    const answered = page.waitForResponse(/linkKey$/);
    await page.getByRole('button', { name: t('devices.link'), exact: true }).click();
    const { data } = (await (await answered).json()) as { data: { token: string } };
    await expect(page.getByRole('img', { name: t('devices.link.code') })).toBeVisible();

    const phone = await browser.newPage({ viewport: { width: 390, height: 844 }, locale: 'th-TH' });
    const link = `${testStack().url}/#/th/file?token=${data.token}`;
    await phone.goto(link);
    const get = phone.getByRole('button', { name: th('keys.download') });
    await expect(get).toBeVisible();
    await expect(phone).not.toHaveURL(/token/);
    // The phone's browser had discarded the page meanwhile.
    await phone.reload();
    await expect(get).toBeVisible();
    await expect(phone).not.toHaveURL(/token/);
    expect(await overflow(phone)).toEqual([]);
    if (isFullRun) expect(await violationsInBothThemes(phone)).toEqual([]);
    const download = phone.waitForEvent('download');
    await get.click();
    expect((await download).suggestedFilename()).toBe('Fixpoint-ios.ovpn');
    expect(await phone.evaluate<string>('JSON.stringify({ ...sessionStorage })')).not.toContain(data.token);
    // The first page is notified.
    await expect(page.getByText(t('keys.noFile'))).toHaveCount(0);
    await phone.goto('about:blank');
    await phone.goto(link);
    await get.click();
    await expect(phone.getByRole('heading', { name: th('file.dead.title') })).toBeVisible();
    await phone.close();
  });

  await test.step('the diagnosis shows each check with its repair', async () => {
    await page.keyboard.press('Escape');
    // The new device's row, because the form may be gone.
    await expect(page.locator('tr:focus-within')).toContainText('ios');
    await page.getByRole('button', { name: t('why.look') }).click();
    const why = page.locator('#why');
    await expect(why.getByRole('listitem')).toHaveCount(8);
    // No device has tried to connect; the page watches for a minute.
    await expect(why.getByText(t('why.nothingSeen'))).toBeVisible();
    await expect(why.getByRole('status')).toHaveText(t('why.watching'));
    await why.getByRole('button', { name: t('why.restart') }).click();
    await expect(page.getByText(t('why.restarted'))).toBeVisible();
  });

  await test.step('a problem that the customer cannot repair leads to support; a wrong clock is checked again', async () => {
    const why = page.locator('#why');
    await lookWithAnswer(page, [
      { check: 'paid', verdict: 'bad', cause: 'suspended' },
      { check: 'host', verdict: 'note', cause: 'hostMoving' },
      { check: 'clock', verdict: 'bad', cause: 'clockOff' },
    ]);
    await expect(why.getByRole('link', { name: t('why.ask') })).toHaveCount(2);
    await expect(why.getByRole('link', { name: t('why.ask') }).first()).toHaveAttribute(
      'href',
      /^mailto:.+sub/,
    );
    await page.unroute(/\/diagnose$/);
    await why.getByRole('button', { name: t('why.clockSet') }).click();
    await expect(why.getByText(t('why.clockOff'))).toHaveCount(0);
  });

  await test.step('a connected customer without a problem is not asked to try', async () => {
    const why = page.locator('#why');
    await lookWithAnswer(page, [
      { check: 'seen', verdict: 'good', keyIds: [] },
      { check: 'places', verdict: 'note', cause: 'full' },
      { check: 'path', verdict: 'good' },
    ]);
    await expect(why.getByRole('status')).toHaveText(t('why.works'));
    await expect(why.getByRole('button', { name: t('why.again') })).toBeVisible();
    await page.unroute(/\/diagnose$/);
  });

  await test.step('reasons that keep an account open are shown before the password field', async () => {
    await page.goto(`${testStack().url}/#/en/management/my-account`);
    const end = page.locator('#end');
    await expect(end.getByText(t('errorCode.8007'))).toBeVisible();
    await expect(end.getByRole('link', { name: t('account.end.running') })).toBeVisible();
    for (const act of ['disable', 'delete'] as const)
      await expect(end.getByRole('button', { name: t(`account.end.${act}`) })).toBeDisabled();
  });

  await test.step('the list can be filtered and sorted', async () => {
    await page.goto(`${testStack().url}/#/en/management/subscription`);
    await page.getByLabel(t('billing.status')).selectOption('expired');
    await expect(page.getByText(t('list.none'))).toBeVisible();
    await page.getByLabel(t('billing.status')).selectOption('active');
    await expect(page.getByRole('link', { name: /Bangkok/ })).toBeVisible();
  });

  await test.step('on a phone in Thai nothing overflows', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    for (const [path, title] of [
      ['dashboard', 'nav.overview'],
      ['subscription', 'subscriptions.title'],
    ] as const) {
      await page.goto(`${testStack().url}/#/th/management/${path}`);
      await expect(page.getByRole('heading', { level: 1, name: th(title) })).toBeVisible();
      await expect(page.getByRole('article')).toBeVisible();
      expect(await overflow(page)).toEqual([]);
    }
    await page.getByRole('article').getByRole('link').first().click();
    await expect(page.getByText(th('history.activate'))).toBeVisible();
    expect(await overflow(page)).toEqual([]);
  });
});
