import { type Browser, expect, type Locator, test } from '@playwright/test';
import { violationsInBothThemes } from '../axe.ts';
import { becomeCustomer } from '../customer.ts';
import { testStack } from '../env.ts';
import { freshAddress, invitationLink } from '../mailbox.ts';
import { overflow } from '../overflow.ts';
import { accountScreens } from '../screens/account.ts';
import { cards, orderScreen } from '../screens/order.ts';
import { subscriptionScreen } from '../screens/subscription.ts';
import { successScreen } from '../screens/success.ts';
import { teamScreen } from '../screens/team.ts';
import { upgradeScreen } from '../screens/upgrade.ts';
import { showAs, usedFor } from '../shown-as.ts';
import { say } from '../texts.ts';

const t = say('en');
const th = say('th');

/** Taps on the phone's own screens once the file is there: open with the app, and add. */
const IMPORT_TAPS = 2;
const PHONE =
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36';

/** Opens the link of an invitation on a phone, and types the password. */
async function onPhone(browser: Browser, link: string) {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    userAgent: PHONE,
  });
  const phone = await context.newPage();
  await phone.goto(link);
  await accountScreens(phone, th, 'th').fillNewPassword();
  return phone;
}

test('A company of three: the owner buys, a buyer upgrades with the saved card, a member connects a phone in eight taps, and is removed', async ({
  page,
  browser,
}) => {
  test.setTimeout(240_000);
  const { account, email } = await becomeCustomer(page, 'plus');
  const team = teamScreen(page, t);
  const [buyer, member] = [freshAddress(), freshAddress()];
  await account.openAccount();
  await team.invite(buyer, 'buyer');
  await team.invite(member, 'member');

  await test.step('the buyer upgrades with the saved card', async () => {
    const other = await (await browser.newContext()).newPage();
    const theirs = accountScreens(other, t);
    await other.goto(await invitationLink(buyer));
    await theirs.fillNewPassword();
    await other.getByLabel(t('signUp.agree')).check();
    await other.getByRole('button', { name: t('team.join.submit') }).click();
    await expect(theirs.overview).toBeVisible();
    await other
      .getByRole('link', { name: /Bangkok/ })
      .first()
      .click();
    await expect(other).toHaveURL(/\/management\/subscription\/sub_/);
    const id = new URL(other.url()).hash.split('/').at(-1)!;
    const upgrade = upgradeScreen(other, t);
    const order = orderScreen(other, t);
    await upgrade.open(id);
    await upgrade.choose('team');
    await upgrade.goToPayment.click();
    await order.agree();
    await order.mayPay();
    await order.payButton.click();
    await successScreen(other, t).isShown();
    await other.goto(`${testStack().url}/#/en/management/billing`);
    await expect(other.getByText(t('billing.methods.owners'))).toBeVisible();
    await expect(other.getByRole('button', { name: t('account.remove') })).toHaveCount(0);
    // The company’s subscription keeps nobody but its last owner.
    await theirs.openAccount();
    await other.getByRole('button', { name: t('account.end.delete') }).click();
    await expect(other.getByRole('dialog')).toContainText(t('account.end.goesOn', { name: email }));
  });

  const phone = await onPhone(browser, (await invitationLink(member)).replace('/en/', '/th/'));
  const screen = subscriptionScreen(phone, th);
  const theirs = accountScreens(phone, th, 'th');

  await test.step('the member sees their devices only, and connects the phone in eight taps', async () => {
    // A day is shown when it is over.
    await showAs(phone, { getBandwidth: line => ({ ...line, ...usedFor(3) }) });
    let taps = 1; // the link in the email
    const tap = async (what: Locator) => {
      taps += 1;
      await what.tap();
    };
    await tap(phone.getByLabel(th('signUp.agree')));
    await tap(phone.getByRole('button', { name: th('team.join.submit') }));
    await tap(phone.getByRole('button', { name: th('devices.add') }));
    const download = phone.waitForEvent('download');
    await tap(screen.sheet(th('guide.device.android')).getByRole('button', { name: th('keys.download') }));
    expect((await download).suggestedFilename()).toMatch(/\.ovpn$/);
    expect(taps + IMPORT_TAPS).toBeLessThanOrEqual(8);
    await screen
      .sheet(th('guide.device.android'))
      .getByRole('button', { name: th('app.close') })
      .tap();
    await expect(screen.row('android')).toBeVisible();
    await expect(phone.getByText(th('bandwidth.usage.ownDays'))).toBeVisible();
    expect(await overflow(phone)).toEqual([]);
    await expect(phone.getByText(th('team.member.full'))).toBeVisible();
    await expect(phone.getByText('THB')).toHaveCount(0);
    await expect(phone.getByRole('link', { name: th('nav.billing') })).toHaveCount(0);
    await phone.getByRole('button', { name: th('why.look') }).tap();
    await expect(phone.getByText(th('why.check.host'))).toBeVisible();
    await expect(phone.getByRole('button', { name: th('why.restart') })).toHaveCount(0);
    expect(await violationsInBothThemes(phone)).toEqual([]);
    await theirs.openAccount();
    await expect(phone.locator('#team')).toContainText(th('team.role.member'));
    await expect(phone.getByRole('heading', { name: th('account.emails.title') })).toHaveCount(0);
    await phone.getByRole('button', { name: th('team.leave') }).tap();
    await expect(phone.getByRole('dialog').getByText('android')).toBeVisible();
    await phone
      .getByRole('dialog')
      .getByRole('button', { name: th('app.cancel') })
      .tap();
  });

  await test.step('the member is told who may buy, buys for themselves instead, and goes back to the company', async () => {
    const at = (path: string) => phone.goto(`${testStack().url}/#/th/${path}`);
    const told = phone.getByText(th('team.forbidden.member', { name: email }));
    for (const path of ['management/billing', 'management/subscription/new', 'order?plan=solo&cycle=1']) {
      await at(path);
      await expect(told).toBeVisible();
      expect(await overflow(phone)).toEqual([]);
      expect(await violationsInBothThemes(phone)).toEqual([]);
    }
    const order = orderScreen(phone, th, 'th');
    await expect(order.payButton).toHaveCount(0);
    await phone.getByRole('button', { name: th('team.forbidden.buy') }).tap();
    await order.fillCard(cards.good);
    await order.agree();
    await order.mayPay();
    await order.payButton.tap();
    await successScreen(phone, th).isShown();
    await theirs.openOverview();
    await expect(theirs.overview).toBeVisible();
    await phone.getByRole('button', { name: th('nav.menu'), exact: true }).tap();
    await phone.getByRole('link', { name: th('team.switch', { name: email }) }).tap();
    await expect(screen.row('android')).toBeVisible();
  });

  await test.step('the owner sees whose device it is, gives more, and removes the member, whose device ends', async () => {
    await account.openOverview();
    await page
      .getByRole('link', { name: /Bangkok/ })
      .first()
      .click();
    const devices = subscriptionScreen(page, t);
    await expect(devices.row('android')).toContainText(member);
    await expect(devices.row('android').getByRole('button')).toHaveCount(1);
    await page.getByRole('button', { name: t('team.devices.change.label', { email: member }) }).click();
    await page.getByRole('dialog').getByLabel(t('team.devices.number')).selectOption('2');
    await page
      .getByRole('dialog')
      .getByRole('button', { name: t('team.devices.change'), exact: true })
      .click();
    await expect(page.locator('#people').getByRole('row').filter({ hasText: member })).toContainText(
      t('subscription.keysOf', { count: '1', max: '2' }),
    );
    await page.getByRole('button', { name: t('team.devices.addFor', { email: member }) }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: t('devices.add') })
      .click();
    await expect(page.getByText(t('team.devices.sent', { email: member }))).toBeVisible();
    await account.openAccount();
    await expect(page.locator('#end').getByText(t('account.end.others'))).toBeVisible();
    await team.remove(member);
    await expect(theirs.loginTitle).toBeVisible();
    await account.openOverview();
    await page
      .getByRole('link', { name: /Bangkok/ })
      .first()
      .click();
    await expect(page.getByText(t('keys.empty.title'))).toBeVisible();
  });
});
