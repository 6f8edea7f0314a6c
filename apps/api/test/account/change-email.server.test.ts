import { emailTo, PASSWORD } from '@fixpoint/testkit/buyer.ts';
import { createClient, type TestClient } from '@fixpoint/testkit/client.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { transactionalJobs } from '../../src/adapters/jobs/requests.ts';
import { asApplication } from '../../src/database/scope.ts';
import { announceEmailChange, applyEmailChange } from '../../src/modules/account/change-email.ts';
import { createAccount } from '../../src/modules/account/index.ts';
import { codeIn, proveHuman } from '../helpers/people.ts';

const DAY_MS = 24 * 60 * 60_000;
const NEXT = 'Another!Horse2';
const ENTER = /use this email address/;

let shop: TestShop;
let termsVersion: string;
beforeAll(async () => {
  shop = await startTestShop();
  termsVersion = (await shop.client.text.getTerm()).data!.version;
});
afterAll(() => shop?.stop());
// Resets the limits, so that each test has its own.
beforeEach(() => shop.clock.advance(DAY_MS));

const login = async (email: string, password = PASSWORD) =>
  shop.client.auth.login({ body: { email, password, humanCheck: await proveHuman(shop) } });
const sessionOf = async (email: string) => createClient(shop.url, (await login(email)).token!);

async function person(name: string) {
  const { email } = await shop.customer(name);
  const client = await sessionOf(email);
  return { email, client, id: (await client.auth.profile()).data!.id };
}

async function change(client: TestClient, email: string) {
  const { data } = await client.account.changeEmail({ body: { email } });
  const code = await codeIn(shop, email, ENTER);
  return client.account.confirmEmail({ body: { flow: data!.flow, code } });
}

/** The token in the newest email that the previous address got. */
async function undoToken(address: string): Promise<string> {
  const { Text } = await emailTo(shop, address, /undo-email\?token=/);
  return /undo-email\?token=([\w.-]+)/.exec(Text)![1]!;
}
const byLink = (token: string) => createClient(shop.url, token).account;
const register = async (email: string) =>
  shop.client.customer.register({
    body: { email, password: PASSWORD, termsVersion, language: 'en', humanCheck: await proveHuman(shop) },
  });

test('a user changes their address by a code to the new one; sessions go on, and codes to the old one end', async () => {
  const anna = await person('anna');
  const pending = (await anna.client.auth.changePasswordOtp({ body: {} })).data!;
  const password = await codeIn(shop, anna.email, /change your password/);
  expect(await anna.client.account.changeEmail({ body: { email: anna.email } })).toMatchObject({
    code: '7004',
    data: { fields: { email: 'form.email.same' } },
  });
  expect(await change(anna.client, 'anna.new@example.com')).toMatchObject({
    code: '0000',
    data: { email: 'anna.new@example.com' },
  });
  expect((await anna.client.auth.profile()).data).toMatchObject({ email: 'anna.new@example.com' });
  const exported = (await anna.client.account.exportData()).data!;
  expect(exported.emailChanges).toMatchObject([{ from: anna.email, to: 'anna.new@example.com' }]);
  expect((await login(anna.email)).code).toBe('8005');
  expect((await login('anna.new@example.com')).code).toBe('0000');
  expect(
    await anna.client.auth.verifyChangePassword({ body: { flow: pending.flow, code: password } }),
  ).toMatchObject({ code: '7007' });
  const user = shop.db.selectFrom('app_user').select('email').where('id', '=', anna.id);
  expect(await user.executeTakeFirst()).toEqual({ email: 'anna.new@example.com' });
});

test('S16 a change wants a session that was confirmed lately, and its own code', async () => {
  const [ben, eve] = [await person('ben'), await person('eve')];
  const { data } = await ben.client.account.changeEmail({ body: { email: 'ben.new@example.com' } });
  const code = await codeIn(shop, 'ben.new@example.com', ENTER);
  expect(await eve.client.account.confirmEmail({ body: { flow: data!.flow, code } })).toMatchObject({
    code: '7007',
  });
  const reset = { flow: data!.flow, code };
  expect(await shop.client.auth.verifyResetPassword({ body: reset })).toMatchObject({ code: '7007' });
  await shop.db
    .updateTable('session')
    .set({ confirmed_at: new Date(shop.clock.now().getTime() - 6 * 60_000) })
    .where('customer_id', '=', ben.id)
    .execute();
  expect(await ben.client.account.changeEmail({ body: { email: 'ben.two@example.com' } })).toMatchObject({
    code: '8004',
    data: { stepUp: { methods: ['password'] } },
  });
});

test('S17 an address of somebody else gets the same answer, its owner an email without a code, and nothing changes', async () => {
  const [carl, dora] = [await person('carl'), await person('dora')];
  const free = await carl.client.account.changeEmail({ body: { email: 'carl.new@example.com' } });
  const taken = await carl.client.account.changeEmail({ body: { email: dora.email } });
  const shape = ({ code, data }: typeof free) => ({ code, ...data, flow: data!.flow.length });
  expect(shape(taken)).toEqual(shape(free));
  const told = await emailTo(shop, dora.email, /move another account/);
  expect(told.Subject + told.Text).not.toMatch(/\b\d{6}\b/);
  for (const code of ['000000', '123456'])
    expect(await carl.client.account.confirmEmail({ body: { flow: taken.data!.flow, code } })).toMatchObject({
      code: '7006',
    });
  expect((await carl.client.auth.profile()).data!.email).toBe(carl.email);
});

test('the previous address undoes it for 7 days: sessions, password and what was added since end', async () => {
  const fay = await person('fay');
  await change(fay.client, 'thief@example.com');
  const thief = await sessionOf('thief@example.com');
  await change(thief, 'thief.two@example.com');
  await shop.db
    .insertInto('totp')
    .values({
      customer_id: fay.id,
      secret_sealed: Buffer.of(1),
      confirmed_at: new Date(Date.now() + 8 * DAY_MS),
    })
    .execute();
  const token = await undoToken(fay.email);
  expect((await byLink(token).emailChange()).data).toEqual({ email: fay.email, holds: true });
  // Nobody else gets the address meanwhile: not by signing up, not by buying.
  expect((await register(fay.email)).code).toBe('5002');
  const buyer = await shop.db
    .transaction()
    .execute(tx => createAccount({ clock: shop.clock }).ensure(tx, fay.email, 'en'));
  expect(buyer).toMatchObject({ id: fay.id, made: false });

  expect((await byLink(token).undoEmail({ body: {} })).data).toEqual({ email: fay.email });
  expect((await thief.auth.profile()).code).toBe('8001');
  for (const email of [fay.email, 'thief@example.com', 'thief.two@example.com'])
    expect((await login(email)).code).toBe('8005');
  expect(await byLink(token).undoEmail({ body: {} })).toMatchObject({ code: '8003' });
  const links = [await undoToken('thief@example.com'), `${token.slice(0, -1)}A`, 'nobodys'];
  for (const link of links) expect((await byLink(link).emailChange()).code).toBe('8003');

  const { data } = await shop.client.auth.requestResetPassword({
    body: { email: fay.email, humanCheck: await proveHuman(shop) },
  });
  const code = await codeIn(shop, fay.email, /code to set a new password/);
  const { grant } = (await shop.client.auth.verifyResetPassword({ body: { flow: data!.flow, code } })).data!;
  await shop.client.auth.resetPassword({ body: { grant, password: NEXT } });
  expect((await login(fay.email, NEXT)).code).toBe('0000');
});

test('after 7 days a change stays, and the previous address is free', async () => {
  const gus = await person('gus');
  await change(gus.client, 'gus.new@example.com');
  const token = await undoToken(gus.email);
  shop.clock.advance(7 * DAY_MS + 1);
  expect((await byLink(token).undoEmail({ body: {} })).code).toBe('8003');
  await shop.sweep();
  expect((await register(gus.email)).code).toBe('0000');
});

test('a change that staff announces is stopped by the previous address, and does not hold when somebody has the new one', async () => {
  const [ida, jon] = [await person('ida'), await person('jon')];
  const { clock } = shop;
  const announce = (userId: string, email: string) =>
    asApplication(() =>
      shop.db
        .transaction()
        .execute(tx =>
          announceEmailChange({ clock, jobs: transactionalJobs }, tx, { userId, email, delayMs: DAY_MS }),
        ),
    );
  const apply = (id: string) => shop.db.transaction().execute(tx => applyEmailChange({ clock }, tx, id));

  const stopped = await announce(ida.id, 'ida.new@example.com');
  const token = await undoToken(ida.email);
  expect((await byLink(token).emailChange()).data).toEqual({ email: ida.email, holds: false });
  expect((await byLink(token).undoEmail({ body: {} })).code).toBe('0000');
  expect(await apply(stopped)).toMatchObject({ refusal: 'tokenInvalid' });
  // Whoever asked staff could not log in.
  expect((await ida.client.auth.profile()).data!.email).toBe(ida.email);

  expect(await apply(await announce(ida.id, jon.email))).toMatchObject({ refusal: 'emailExists' });
  expect(await apply(await announce(ida.id, 'ida.late@example.com'))).toBeUndefined();
  expect((await ida.client.auth.profile()).data!.email).toBe('ida.late@example.com');
});
