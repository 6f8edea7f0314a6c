import { readFile } from 'node:fs/promises';
import { buyAsVisitor } from '@fixpoint/testkit/buyer.ts';
import { variants } from '@fixpoint/testkit/test-gate.ts';
import { expect, type Locator, type Page, test } from '@playwright/test';
import { testStack } from '../env.ts';
import { emailsTo, freshAddress, passwordLink } from '../mailbox.ts';
import { connectNewDevice } from '../new-device.ts';
import { overflow } from '../overflow.ts';
import { accountScreens, PASSWORD } from '../screens/account.ts';
import { orderScreen } from '../screens/order.ts';
import { subscriptionScreen } from '../screens/subscription.ts';
import { successScreen } from '../screens/success.ts';
import { type Say, say } from '../texts.ts';

/** Between the advertisement and the first import: controls that are tapped, and things that are typed. */
const MOST_TAPS = 8;
const MOST_TYPED = 5;

const USER_AGENT =
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36';
const phone = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
  userAgent: USER_AGENT,
};

test.use(phone);

/** Sets the password with the emailed link, and downloads the file of this phone. */
async function fromEmailToFile(
  page: Page,
  t: Say,
  link: string,
  tap = (what: Locator): Promise<void> => what.tap(),
) {
  await page.goto(link);
  await page.getByLabel(t('setPassword.password'), { exact: true }).fill(PASSWORD);
  await page.getByLabel(t('setPassword.confirm'), { exact: true }).fill(PASSWORD);
  await tap(page.getByRole('button', { name: t('setPassword.submit') }));
  await expect(page.getByRole('radio', { name: t('guide.device.android') })).toBeChecked();
  await tap(page.getByRole('button', { name: t('devices.add') }));
  const download = page.waitForEvent('download');
  const sheet = subscriptionScreen(page, t).sheet('android');
  await tap(sheet.getByRole('button', { name: t('keys.download') }));
  return download;
}

for (const language of variants(['en', 'th'] as const, 1)) {
  const t = say(language);

  test(`FU2 U9 from an advertisement to a connected phone in at most ${MOST_TAPS} taps and ${MOST_TYPED} things to type (${language})`, async ({
    page,
  }) => {
    let taps = 0;
    let typed = 0;
    const tap = async (what: Locator) => {
      taps += 1;
      await what.tap();
    };
    const type = async (what: Locator, text: string) => {
      typed += 1;
      await what.fill(text);
    };
    const email = freshAddress();
    const order = orderScreen(page, t, language);
    const success = successScreen(page, t);

    await page.goto(`${testStack().url}/#/${language}`);
    await tap(page.getByRole('link', { name: t('home.start') }).first());
    await tap(page.getByRole('link', { name: t('plans.choose', { plan: t('plans.name.solo') }) }));
    await type(order.email, email);
    await order.cardReady();
    await type(order.cardNumber, '4242424242424242');
    await type(order.cardExpiry, '1234');
    await type(order.cardCode, '123');
    await tap(order.terms);
    expect(await overflow(page)).toEqual([]);
    await order.mayPay();
    await tap(order.payButton);
    await success.isShown();
    await expect(success.address).toBeVisible();
    const address = (await success.address.textContent())!;
    // The customer's own address stands on one line, in the narrowest window as well.
    await page.setViewportSize({ width: 320, height: 844 });
    expect(await success.linesOf()).toBe(1);
    expect(await overflow(page)).toEqual([]);
    await page.setViewportSize(phone.viewport);
    // U66: in the past tense once the email is sent, and numbered.
    await expect(page.getByText(t('success.email.sent', { email }))).toBeVisible();
    expect(await success.steps.allTextContents()).toEqual(
      ['success.email.title', 'guide.file', 'guide.connect'].map((key, at) => `${at + 1}${t(key)}`),
    );

    const link = await passwordLink(email);
    taps += 1; // the button in the email
    typed += 1; // the password; its confirmation repeats it
    const file = await fromEmailToFile(page, t, link, tap);
    expect(taps).toBeLessThanOrEqual(MOST_TAPS);
    expect(typed).toBeLessThanOrEqual(MOST_TYPED);
    // O5: one email before the password was set.
    const emails = (await emailsTo(email)).filter(({ Text }) => Text.includes('token='));
    expect(emails.map(({ Subject }) => Subject)).toEqual([expect.stringContaining(address)]);

    const { noRegion } = testStack();
    test.skip(noRegion !== undefined, noRegion);
    const device = await connectNewDevice(await readFile(await file.path(), 'utf8'));
    try {
      // The phone's requests now come through the tunnel.
      await page.setExtraHTTPHeaders({ 'x-forwarded-for': await device.seenAddress() });
      await page.reload();
      await expect(page.getByText(t('connected.yes'))).toBeVisible();
    } finally {
      await device.stop();
    }
  });

  test(`O5 a guest opens the first email on another device and reaches the file (${language})`, async ({
    browser,
  }) => {
    const email = freshAddress();
    await buyAsVisitor(testStack(), email);
    const link = await passwordLink(email);
    const context = await browser.newContext(phone);
    try {
      const page = await context.newPage();
      const account = accountScreens(page, t, language);
      // Without the link the log-in page has a sentence for them, which leads on.
      await account.openOverview();
      await page.getByRole('link', { name: t('login.bought') }).tap();
      await expect(page.getByRole('heading', { level: 1, name: t('forgot.title') })).toBeVisible();

      const file = await fromEmailToFile(page, t, link.replace('#/en/', `#/${language}/`));
      const text = await readFile(await file.path(), 'utf8');
      expect(text).toContain('BEGIN PRIVATE KEY');
      const screen = subscriptionScreen(page, t);
      await screen
        .sheet('android')
        .getByRole('button', { name: t('app.close') })
        .tap();
      await expect(screen.row('android')).toBeVisible();
    } finally {
      await context.close();
    }
  });
}
