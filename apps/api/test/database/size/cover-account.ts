import { beginOrder, emailTo, PASSWORD } from '@fixpoint/testkit/buyer.ts';
import { createClient, type TestClient } from '@fixpoint/testkit/client.ts';
import type { TestShop } from '@fixpoint/testkit/shop.ts';
import { Secret, TOTP } from 'otpauth';
import { personal } from '../../../src/compose/personal.ts';
import { eraseCustomer } from '../../../src/modules/account/erase-accounts.ts';
import { documentFor, postponeDocuments, readPartPaid } from '../../../src/modules/billing/index.ts';
import { createBlockList, unblock } from '../../../src/modules/block/index.ts';
import { customerPage, findCustomers } from '../../../src/modules/staff/index.ts';
import type { Db } from '../../../src/ports/database.ts';
import { createAuthenticator } from '../../account/authenticator.ts';
import { codeIn, proveHuman, signUp } from '../../helpers/people.ts';
import { confirmedCommand, shopCommand } from '../../helpers/shop-command.ts';
import type { Coverage } from './coverage.ts';

const MINUTE_MS = 60_000;
const NEXT = 'kR7vQm2x!tulip';

/** Covers all account calls, with valid and invalid input. */
export async function coverAccounts(run: Coverage): Promise<void> {
  await signUpTwice(run);
  await sessions(run);
  await changeEmail(run);
  await passwords(run);
  await app(run);
  await passkeys(run);
  await end(run);
}

const login = async (shop: TestShop, email: string, more: { password?: string; totp?: string } = {}) =>
  shop.client.auth.login({
    body: { email, password: PASSWORD, ...more, humanCheck: await proveHuman(shop) },
  });

async function signUpTwice({ shop, mark }: Coverage): Promise<void> {
  const termsVersion = (await shop.client.text.getTerm()).data!.version;
  const email = `rider+${mark}@example.com`;
  const register = async () =>
    shop.client.customer.register({
      body: { email, password: PASSWORD, termsVersion, language: 'en', humanCheck: await proveHuman(shop) },
    });
  const { flow } = (await register()).data!;
  shop.clock.advance(2 * MINUTE_MS);
  const again = (await shop.client.auth.requestOTP({ body: { flow } })).data!;
  await shop.client.auth.verifyOTP({ body: { flow: again.flow, code: '000000' } });
  const code = await codeIn(shop, email, /finish signing up/);
  await shop.client.customer.verifyUser({ body: { flow: again.flow, code } });
  shop.clock.advance(2 * MINUTE_MS);
  await register();
}

async function sessions({ shop, mark }: Coverage): Promise<void> {
  const { client, email } = await signUp(shop, `sessions-${mark}@example.com`);
  for (let n = 0; n < 4; n += 1) await login(shop, email, { password: 'Wrong!2345x' });
  shop.clock.advance(MINUTE_MS);
  const other = (await login(shop, email)).data!;
  shop.clock.advance(MINUTE_MS);
  // Login from a new device notifies the owner.
  await shop.client.auth.login(
    { body: { email, password: PASSWORD, humanCheck: await proveHuman(shop) } },
    { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0' },
  );
  await login(shop, email);
  await client.auth.profile();
  const list = (await client.account.sessions()).data!.sessions;
  await client.account.endSession({ body: { id: list.find(({ current }) => !current)!.id } });
  await client.account.endOtherSessions();
  await client.account.setLanguage({ body: { language: 'th' } });
  await client.account.setEmails({ body: { off: [] } });
  await client.account.setName({ body: { name: 'Anna' } });
  await client.account.setAccountName({ body: { name: 'Anna & Co' } });
  await client.account.exportData();
  const mine = (await login(shop, email)).data!;
  const next = (await shop.client.auth.refresh({ body: { refreshToken: mine.refreshToken } })).data!;
  await shop.client.auth.refresh({ body: { refreshToken: mine.refreshToken } });
  shop.clock.advance(MINUTE_MS);
  // A refresh token used long after its exchange counts as stolen.
  await shop.client.auth.refresh({ body: { refreshToken: mine.refreshToken } });
  await shop.client.auth.logout({ body: { refreshToken: next.refreshToken } });
  await shop.client.auth.logout({ body: { refreshToken: other.refreshToken } });
  await client.auth.logout();
}

/** Changes the address and undoes it. */
async function changeEmail({ shop, mark }: Coverage): Promise<void> {
  const { client, email } = await signUp(shop, `email-${mark}@example.com`);
  const other = `other-${mark}@example.com`;
  const { flow } = (await client.account.changeEmail({ body: { email: other } })).data!;
  await client.account.confirmEmail({ body: { flow, code: await codeIn(shop, other, /use this email/) } });
  const { Text } = await emailTo(shop, email, /undo-email/);
  const byLink = createClient(shop.url, /undo-email\?token=([\w.-]+)/.exec(Text)![1]!);
  await byLink.account.emailChange();
  await byLink.account.undoEmail({ body: {} });
}

async function passwords({ shop, mark }: Coverage): Promise<void> {
  const { email } = await signUp(shop, `passwords-${mark}@example.com`);
  shop.clock.advance(2 * MINUTE_MS);
  const { flow } = (await shop.client.auth.requestResetPassword({ body: { email } })).data!;
  const code = await codeIn(shop, email, /set a new password/);
  const { grant } = (await shop.client.auth.verifyResetPassword({ body: { flow, code } })).data!;
  await shop.client.auth.resetPassword({ body: { grant, password: NEXT } });
  const { token } = await login(shop, email, { password: NEXT });
  const client = createClient(shop.url, token!);
  const change = (await client.auth.changePasswordOtp()).data!;
  const changeCode = await codeIn(shop, email, /to change your password/);
  const granted = await client.auth.verifyChangePassword({ body: { flow: change.flow, code: changeCode } });
  await client.auth.changePassword({
    body: { grant: granted.data!.grant, currentPassword: NEXT, password: PASSWORD },
  });
}

async function app({ shop, mark }: Coverage): Promise<void> {
  const { client, email } = await signUp(shop, `app-${mark}@example.com`);
  await client.account.beginTotp();
  const { secret } = (await client.account.beginTotp()).data!;
  const code = () => {
    shop.clock.advance(MINUTE_MS);
    return new TOTP({ secret: Secret.fromBase32(secret) }).generate({
      timestamp: shop.clock.now().getTime(),
    });
  };
  const set = await client.account.confirmTotp({ body: { code: code() } });
  await login(shop, email, { totp: '000000' });
  await login(shop, email, { totp: set.data!.recoveryCodes[0]! });
  const fresh = createClient(shop.url, (await login(shop, email, { totp: code() })).token!);
  await fresh.account.stepUp({ body: { method: 'totp', code: code() } });
  await fresh.account.newRecoveryCodes();
  await fresh.account.removeTotp();
}

async function passkeys({ shop, mark }: Coverage): Promise<void> {
  const { client } = await signUp(shop, `passkeys-${mark}@example.com`);
  const authenticator = createAuthenticator(shop.url);
  const begun = (await client.account.addPasskeyOptions()).data!;
  const added = await client.account.addPasskey({
    body: { flow: begun.flow, name: 'Phone', response: authenticator.create(begun.options) },
  });
  await client.account.passkeys();
  const entry = (await shop.client.account.passkeyLoginOptions()).data!;
  await shop.client.account.passkeyLogin({
    body: { flow: entry.flow, response: authenticator.get(entry.options) },
  });
  const { flow, options } = (await client.account.stepUpOptions()).data!;
  await client.account.stepUp({ body: { method: 'passkey', flow, response: authenticator.get(options) } });
  await client.account.stepUp({ body: { method: 'password', password: PASSWORD } });
  await client.account.exportData();
  await client.account.removePasskey({ body: { id: added.data!.id } });
}

/** Ends an account with a subscription, and erases its personal data. */
async function end({ shop, app: db, mark }: Coverage): Promise<void> {
  const disabled = await signUp(shop, `disabled-${mark}@example.com`);
  await disabled.client.auth.deleteAccount({ body: { action: 'disable', currentPassword: PASSWORD } });
  const { client, email, subscriptionId } = await shop.customer(`leaver-${mark}`);
  await leaveUnpaid(shop, client, email);
  await client.auth.deleteAccount({ body: { action: 'delete', currentPassword: PASSWORD } });
  await shop.db
    .updateTable('subscription')
    .set({ cancel_at_period_end: true })
    .where('id', '=', subscriptionId)
    .execute();
  const { id } = (await client.auth.profile()).data!;
  await giveCredit(shop, db, id);
  const left = await client.auth.deleteAccount({ body: { action: 'delete', currentPassword: PASSWORD } });
  if (left.code !== '0000') throw new Error(`deleteAccount answered ${left.code}`);
  await emailTo(shop, email, /deleted/);
  await eraseCustomer(db, personal, id);
}

/** Gives a customer credit of both kinds, and asks what only a faulty renderer or too few coins have the shop ask. */
async function giveCredit(shop: TestShop, db: Db, customerId: string): Promise<void> {
  const invoice = await shop.db
    .selectFrom('invoice')
    .select(['id', 'number'])
    .where('customer_id', '=', customerId)
    .where('number', 'is not', null)
    .executeTakeFirstOrThrow();
  const refund = ['refund', invoice.number!, '--amount', '20', '--reason', 'Sorry', '--credit'];
  await confirmedCommand(shop, ...refund);
  await shopCommand(shop, 'credit', customerId, '10', '--reason', 'late', '--yes');
  await readPartPaid(db, invoice.id);
  await askAsStaff({ db, now: shop.clock.now() }, customerId, invoice.number!);
  await documentFor(db, { kind: 'receipt', ofId: invoice.id });
  await postponeDocuments(db, invoice.id, shop.clock.now());
}

/** Finds the customer as staff does, in every way, reads their page, and blocks them for a moment. */
async function askAsStaff(
  { db, now }: { db: Db; now: Date },
  customerId: string,
  number: string,
): Promise<void> {
  const { add } = createBlockList(Buffer.alloc(32));
  const block = { customerId, reason: 'A test', endsAt: null };
  await add(db, now, block, [{ kind: 'email', value: 'leaver@example.com' }]);
  await unblock(db, customerId);
  // The filler's customers all begin with "buyer", as do the names on their cards.
  const begins = ['leav', 'leav@', 'buyer', 'Ann Exam', 'nobody knows this name', 'nobody@example.com'];
  const searches = ['leaver@example.com', '203.0.113.9', 'bkk-1', customerId, number, ...begins];
  for (const search of searches) await findCustomers(db, search);
  await customerPage(db, customerId);
}

/** Leaves two unpaid orders: one as a customer, one as a guest. */
async function leaveUnpaid(shop: TestShop, client: TestClient, email: string): Promise<void> {
  const own = await beginOrder(client);
  await client.order.purchaseLogin({ body: own.consent });
  const guest = await beginOrder(shop.client);
  await shop.client.order.purchase({ body: { ...guest.consent, email, language: 'en' } });
}
