import { expect, test } from '@playwright/test';
import { becomeMember } from '../customer.ts';
import { freshAddress, invitationLink } from '../mailbox.ts';
import { overflow } from '../overflow.ts';
import { accountScreens } from '../screens/account.ts';
import { teamScreen } from '../screens/team.ts';
import { say } from '../texts.ts';

const t = say('en');
const th = say('th');

test('An owner invites a buyer, who sets a password and works in the account, until the owner removes them', async ({
  page,
  browser,
}) => {
  const { account, email } = await becomeMember(page);
  const team = teamScreen(page, t);
  const buyer = freshAddress();
  await account.openAccount();
  // Who is alone reads nothing of a team.
  await expect(team.alone).toBeVisible();
  await expect(team.table).toHaveCount(0);
  await team.invite(buyer, 'buyer');
  await expect(team.row(buyer)).toContainText(t('team.role.buyer'));
  const link = await invitationLink(buyer);
  // Somebody else who is logged in is told so, and sets no password.
  await page.goto(link);
  await expect(page.getByText(t('team.join.otherEmail', { email: buyer, me: email }))).toBeVisible();
  await expect(page.getByLabel(t('setPassword.password'))).toHaveCount(0);
  await account.openAccount();

  const phone = await (await browser.newContext({ viewport: { width: 390, height: 844 } })).newPage();
  const theirs = accountScreens(phone, th, 'th');
  await phone.goto(link.replace('/en/', '/th/'));
  await expect(phone).not.toHaveURL(/token/);
  await theirs.fillNewPassword();
  await phone.getByLabel(th('signUp.agree')).check();
  expect(await overflow(phone)).toEqual([]);
  await phone.getByRole('button', { name: th('team.join.submit') }).click();
  await expect(theirs.overview).toBeVisible();
  await theirs.openAccount();
  const role = th('team.role.buyer');
  await expect(phone.locator('#team')).toContainText(role);
  expect(await overflow(phone)).toEqual([]);

  await page.reload();
  await team.remove(buyer);
  await expect(team.alone).toBeVisible();
  await expect(theirs.loginTitle).toBeVisible();
});

test('A user of two accounts: the invitation is for their address only, they switch and take over, and whoever opened the account leaves', {
  tag: '@soak',
}, async ({ page, browser }) => {
  const { email: owner, account } = await becomeMember(page);
  const other = await (await browser.newContext()).newPage();
  const { email: ben, account: theirs } = await becomeMember(other);
  const team = teamScreen(page, t);
  await account.openAccount();
  await team.invite(ben, 'buyer');
  const link = await invitationLink(ben);

  await test.step('somebody else who is logged in is told so, and nothing changes', async () => {
    await page.goto(link);
    await expect(page.getByText(t('team.join.otherEmail', { email: ben, me: owner }))).toBeVisible();
    await page
      .locator('#main')
      .getByRole('button', { name: t('nav.logout') })
      .click();
    await expect(page.getByText(t('team.join.login', { email: ben }))).toBeVisible();
    await account.openLogin();
    await account.email.fill(owner);
    await account.logIn();
    await expect(account.overview).toBeVisible();
    await account.openAccount();
    await expect(team.row(ben)).toContainText(t('team.resend'));
  });

  await test.step('the invited user accepts by one press and switches back and forth', async () => {
    await other.goto(link);
    await other.getByRole('button', { name: t('team.join.submit') }).click();
    await expect(theirs.overview).toBeVisible();
    await theirs.openAccount();
    await expect(other.locator('#team')).toContainText(t('team.role.buyer'));
    await other.getByRole('button', { name: ben.split('@')[0]! }).click();
    await other.getByRole('menuitem', { name: t('team.switch', { name: ben }) }).click();
    await expect(theirs.overview).toBeVisible();
    await theirs.openAccount();
    await expect(teamScreen(other, t).alone).toBeVisible();
    await other.getByRole('button', { name: ben.split('@')[0]! }).click();
    await other.getByRole('menuitem', { name: t('team.switch', { name: owner }) }).click();
    await expect(theirs.overview).toBeVisible();
  });

  await test.step('whoever opened the account hands it over and leaves it', async () => {
    await page.reload();
    await team.handOver();
    await expect(page.locator('#team')).toContainText(t('team.role.buyer'));
    await other.reload();
    await theirs.openAccount();
    await expect(teamScreen(other, t).removal(owner)).toBeVisible();
    await page.getByRole('button', { name: t('team.leave') }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: t('team.leave') })
      .click();
    await expect(account.loginTitle).toBeVisible();
    await other.reload();
    await expect(teamScreen(other, t).alone).toBeVisible();
  });
});
