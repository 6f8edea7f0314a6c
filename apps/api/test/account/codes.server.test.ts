import { createHash } from 'node:crypto';
import { beginOrder, emailTo, PASSWORD, until } from '@fixpoint/testkit/buyer.ts';
import { createClient } from '@fixpoint/testkit/client.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { personal } from '../../src/compose/personal.ts';
import { eraseCustomer } from '../../src/modules/account/erase-accounts.ts';
import { proveHuman } from '../helpers/people.ts';
import { allCalls, nobodys, send } from '../http/matrix-samples.ts';

const NEXT = 'Another!Horse2';
const HOUR_MS = 60 * 60_000;
let shop: TestShop;
let termsVersion: string;
beforeAll(async () => {
  shop = await startTestShop();
  termsVersion = (await shop.client.text.getTerm()).data!.version;
});
afterAll(() => shop?.stop());
// Resets the limits, so that each test has its own.
beforeEach(() => shop.clock.advance(25 * HOUR_MS));

const codeIn = async (email: string, fits: RegExp) =>
  /^(\d{6})/.exec((await emailTo(shop, email, fits)).Subject)![1]!;
const wrongFor = (code: string, by = 1) => String((Number(code) + by) % 1_000_000).padStart(6, '0');
const register = async (email: string) => {
  const humanCheck = await proveHuman(shop);
  return shop.client.customer.register({
    body: { email, password: PASSWORD, termsVersion, language: 'en', humanCheck },
  });
};

async function signUp(email: string): Promise<string> {
  const { data } = await register(email);
  const code = await codeIn(email, /finish signing up/);
  const verified = await shop.client.customer.verifyUser({ body: { flow: data!.flow, code } });
  expect(verified.code).toBe('0000');
  return verified.token!;
}
const login = (email: string, password: string) => shop.client.auth.login({ body: { email, password } });

describe('signing up', () => {
  test('the emailed code creates the account and logs in; before it there is none', async () => {
    const { data } = await register('new@example.com');
    expect(data).toMatchObject({ resendIn: 60, expiresIn: 600 });
    expect((await login('new@example.com', PASSWORD)).code).toBe('8005');
    const code = await codeIn('new@example.com', /finish signing up/);
    const wrong = await shop.client.customer.verifyUser({ body: { flow: data!.flow, code: wrongFor(code) } });
    expect(wrong).toMatchObject({ status: 400, code: '7006' });
    const right = await shop.client.customer.verifyUser({
      body: { flow: data!.flow, code: `${code.slice(0, 3)} ${code.slice(3)}` },
    });
    expect(right.code).toBe('0000');
    expect((await createClient(shop.url, right.token!).auth.profile()).data).toMatchObject({
      email: 'new@example.com',
    });
    expect((await login('new@example.com', PASSWORD)).code).toBe('0000');
    const again = await shop.client.customer.verifyUser({ body: { flow: data!.flow, code } });
    expect(again).toMatchObject({ status: 400, code: '7007' });
  });

  test('a known address is refused openly', async () => {
    await signUp('known@example.com');
    expect(await register('Known@Example.com')).toMatchObject({ status: 400, code: '5002' });
  });

  test('a second code invalidates the first', async () => {
    const { data } = await register('twice@example.com');
    const first = await codeIn('twice@example.com', /finish signing up/);
    shop.clock.advance(60_000);
    const second = await shop.client.auth.requestOTP({ body: { flow: data!.flow } });
    expect(second.code).toBe('0000');
    const old = await shop.client.customer.verifyUser({ body: { flow: data!.flow, code: first } });
    expect(old).toMatchObject({ code: '7007' });
  });
});

describe('codes', () => {
  test('S08 are limited to one a minute and five an hour, with the time to wait', async () => {
    const { data } = await register('often@example.com');
    let flow = data!.flow;
    const early = await shop.client.auth.requestOTP({ body: { flow } });
    expect(early).toMatchObject({ status: 429, code: '7005', data: { resendIn: 60 } });
    expect(early.headers.get('retry-after')).toBe('60');
    for (let n = 2; n <= 5; n++) {
      shop.clock.advance(60_000);
      const sent = await shop.client.auth.requestOTP({ body: { flow } });
      expect(sent.code, `code ${n}`).toBe('0000');
      flow = sent.data!.flow;
    }
    shop.clock.advance(60_000);
    const sixth = await shop.client.auth.requestOTP({ body: { flow } });
    expect(sixth).toMatchObject({ status: 429, code: '7005', data: { resendIn: 55 * 60 } });
  });

  test('S17 are limited to ten a day for all tags of a mailbox together', async () => {
    const answers = [];
    for (let n = 0; n < 11; n += 1) answers.push(await register(`victim+${n}@example.com`));
    expect(answers.slice(0, 10).map(({ code }) => code)).toEqual(Array(10).fill('0000'));
    expect(answers[10]).toMatchObject({ status: 429, code: '7005', data: { resendIn: 24 * 60 * 60 } });
    // Case does not matter; an address without a tag has its own limit.
    expect((await register('Victim+Again@Example.com')).code).toBe('7005');
    expect((await register('victim@example.com')).code).toBe('0000');
    shop.clock.advance(24 * HOUR_MS);
    expect((await register('victim+11@example.com')).code).toBe('0000');
  });

  test('S07 of two hundred parallel wrong codes exactly five are compared', async () => {
    const { data } = await register('guessed@example.com');
    const code = await codeIn('guessed@example.com', /finish signing up/);
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, n) =>
        shop.client.customer.verifyUser({ body: { flow: data!.flow, code: wrongFor(code, n + 1) } }),
      ),
    );
    expect(answers.filter(answer => answer.code === '7006')).toHaveLength(5);
    expect(answers.filter(answer => answer.code === '7007')).toHaveLength(195);
    const right = await shop.client.customer.verifyUser({ body: { flow: data!.flow, code } });
    expect(right).toMatchObject({ code: '7007' });
  });

  test('S07 a wrong code that is sent again costs no other try', async () => {
    const { data } = await register('presses-again@example.com');
    const code = await codeIn('presses-again@example.com', /finish signing up/);
    const enter = (typed: string) =>
      shop.client.customer.verifyUser({ body: { flow: data!.flow, code: typed } });
    for (let n = 0; n < 12; n += 1) expect((await enter(wrongFor(code))).code).toBe('7006');
    for (let by = 2; by <= 4; by += 1) expect((await enter(wrongFor(code, by))).code).toBe('7006');
    expect((await enter(code)).code).toBe('0000');
  });

  test('S06 expire after ten minutes, serve one purpose, and are not in the database', async () => {
    await signUp('purpose@example.com');
    const reset = await shop.client.auth.requestResetPassword({ body: { email: 'purpose@example.com' } });
    const code = await codeIn('purpose@example.com', /set a new password/);
    const other = await shop.client.customer.verifyUser({ body: { flow: reset.data!.flow, code } });
    expect(other).toMatchObject({ code: '7007' });
    const rows = await shop.db.selectFrom('challenge').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(`"${code}"`);
    // Nor is a plain hash, which could be computed for all million codes.
    const { id, code_hash: stored } = rows.find(row => row.id === reset.data!.flow)!;
    for (const plain of [code, `${id}:${code}`, `${code}:${id}`, `${id}${code}`, `${code}${id}`])
      for (const hash of ['md5', 'sha1', 'sha256', 'sha512'])
        expect(stored!.equals(createHash(hash).update(plain).digest()), `${hash} of ${plain}`).toBe(false);
    shop.clock.advance(10 * 60_000 - 1);
    const inTime = { body: { flow: reset.data!.flow, code } };
    expect((await shop.client.auth.verifyOTP(inTime)).code).toBe('0000');
    shop.clock.advance(1);
    const late = await shop.client.auth.verifyResetPassword({ body: { flow: reset.data!.flow, code } });
    expect(late).toMatchObject({ code: '7007' });
  });
});

describe('a new password', () => {
  test('S11 with the emailed code ends every session, notifies the owner and logs nobody in', async () => {
    const token = await signUp('forgot@example.com');
    const { data } = await shop.client.auth.requestResetPassword({ body: { email: 'forgot@example.com' } });
    const code = await codeIn('forgot@example.com', /set a new password/);
    const granted = await shop.client.auth.verifyResetPassword({ body: { flow: data!.flow, code } });
    const { grant } = granted.data!;
    expect(await shop.client.auth.profile({}, { authorization: `Bearer ${grant}` })).toMatchObject({
      status: 401,
    });
    const set = await shop.client.auth.resetPassword({ body: { grant, password: NEXT } });
    expect(set).toMatchObject({ status: 200, code: '0000' });
    expect(await createClient(shop.url, token).auth.profile()).toMatchObject({ status: 401, code: '8001' });
    expect((await login('forgot@example.com', PASSWORD)).code).toBe('8005');
    expect((await login('forgot@example.com', NEXT)).code).toBe('0000');
    await emailTo(shop, 'forgot@example.com', /password has been set/);
    // S10 the grant is consumed.
    expect(await shop.client.auth.resetPassword({ body: { grant, password: PASSWORD } })).toMatchObject({
      code: '8003',
    });
  });

  test('S10 the grant is good for no other call', async () => {
    const email = 'granted@example.com';
    await signUp(email);
    const { data } = await shop.client.auth.requestResetPassword({ body: { email } });
    const code = await codeIn(email, /set a new password/);
    const body = { flow: data!.flow, code };
    const { grant } = (await shop.client.auth.verifyResetPassword({ body })).data!;
    expect(Buffer.from(grant, 'base64url').length).toBeGreaterThanOrEqual(16);
    const bearer = createClient(shop.url, grant);
    const closed = allCalls.filter(({ endpoint }) => endpoint.auth !== 'visitor');
    expect(closed.length).toBeGreaterThan(20);
    for (const { name, endpoint, sample } of closed) {
      const answer = await send(bearer, name, sample!.input(nobodys));
      const refused = endpoint.auth === 'link' ? '8003' : '8001';
      expect(answer.code, name).toBe(refused);
    }
    expect((await shop.client.auth.refresh({ body: { refreshToken: grant } })).code).toBe('401');
    // It stays good for its purpose for ten minutes.
    shop.clock.advance(10 * 60_000 - 1);
    const set = (password: string) => shop.client.auth.resetPassword({ body: { grant, password } });
    expect((await set('Fixpoint1!')).code).toBe('7000');
    shop.clock.advance(1);
    expect((await set(NEXT)).code).toBe('8003');
  });

  test('S05 a request has the same answer for an unknown address', async () => {
    await signUp('here@example.com');
    const [known, unknown] = await Promise.all(
      ['here@example.com', 'nobody@example.com'].map(email =>
        shop.client.auth.requestResetPassword({ body: { email } }),
      ),
    );
    expect(unknown!.status).toBe(known!.status);
    expect({ ...unknown!.data, flow: '' }).toEqual({ ...known!.data, flow: '' });
    expect(unknown!.data!.flow).toHaveLength(known!.data!.flow.length);
    const guess = { flow: unknown!.data!.flow, code: '123456' };
    expect(await shop.client.auth.verifyResetPassword({ body: guess })).toMatchObject({ code: '7006' });
  });

  test('FS8 requests of a stranger invalidate no code, and do not count on the owner’s known browser', async () => {
    const email = 'besieged@example.com';
    await signUp(email);
    const known = (
      await shop.client.auth.login({ body: { email, password: PASSWORD, refreshIn: 'cookie' } })
    ).headers
      .getSetCookie()
      .find(each => each.startsWith('device='))!
      .split(';')[0]!;
    const ask = async (who: { proof?: boolean; cookie?: string } = {}, address = email) =>
      shop.client.auth.requestResetPassword(
        { body: { email: address, ...(who.proof && { humanCheck: await proveHuman(shop) }) } },
        who.cookie ? { cookie: who.cookie } : {},
      );
    const { data: owners } = await ask();
    const code = await codeIn(email, /set a new password/);
    shop.clock.advance(60_000);
    const asked = { status: 429, code: '9905', data: { humanCheck: true } };
    expect(await ask()).toMatchObject(asked);
    expect((await ask({}, 'none@example.com')).code).toBe('0000');
    expect(await ask({}, 'none@example.com')).toMatchObject(asked);
    for (let n = 0; n < 4; n += 1) {
      expect((await ask({ proof: true })).code).toBe('0000');
      shop.clock.advance(60_000);
    }
    expect((await shop.client.auth.verifyOTP({ body: { flow: owners!.flow, code } })).code).toBe('0000');
    expect((await ask({ proof: true })).code).toBe('7005');
    expect((await ask({ cookie: known })).code).toBe('0000');
  });

  test('S12 a change needs the emailed code and the current password', async () => {
    const client = createClient(shop.url, await signUp('change@example.com'));
    const { data } = await client.auth.changePasswordOtp();
    const code = await codeIn('change@example.com', /change your password/);
    const { grant } = (await client.auth.verifyChangePassword({ body: { flow: data!.flow, code } })).data!;
    const change = (currentPassword: string, given = grant) =>
      client.auth.changePassword({ body: { grant: given, currentPassword, password: NEXT } });
    expect(await change(PASSWORD, 'x')).toMatchObject({ code: '8003' });
    expect(await change('Wrong!234')).toMatchObject({ status: 400, code: '8006' });
    expect(await change(PASSWORD)).toMatchObject({ status: 200, code: '0000' });
    expect(await client.auth.profile()).toMatchObject({ status: 401, code: '8001' });
    expect((await login('change@example.com', NEXT)).code).toBe('0000');
  });

  test('another customer cannot use the change code', async () => {
    const mine = createClient(shop.url, await signUp('mine@example.com'));
    const other = createClient(shop.url, await signUp('other@example.com'));
    const { data } = await mine.auth.changePasswordOtp();
    const code = await codeIn('mine@example.com', /change your password/);
    expect(await other.auth.verifyChangePassword({ body: { flow: data!.flow, code } })).toMatchObject({
      code: '7007',
    });
  });
});

test('S19 the owner of a stolen session is notified', async () => {
  await signUp('robbed@example.com');
  const { refreshToken } = (await login('robbed@example.com', PASSWORD)).data!;
  await shop.client.auth.refresh({ body: { refreshToken } });
  shop.clock.advance(11_000);
  expect(await shop.client.auth.refresh({ body: { refreshToken } })).toMatchObject({ code: '401' });
  await emailTo(shop, 'robbed@example.com', /ended a session/);
});

test('S10 a new password invalidates all other grants and links', async () => {
  const email = 'read-mail@example.com';
  const client = createClient(shop.url, await signUp(email));
  const changing = (await client.auth.changePasswordOtp()).data!;
  const changeCode = await codeIn(email, /change your password/);
  const body = { flow: changing.flow, code: changeCode };
  const mine = (await client.auth.verifyChangePassword({ body })).data!.grant;

  const reset = (await shop.client.auth.requestResetPassword({ body: { email } })).data!;
  const code = await codeIn(email, /set a new password/);
  const grant = (await shop.client.auth.verifyResetPassword({ body: { flow: reset.flow, code } })).data!
    .grant;
  const changed = await client.auth.changePassword({
    body: { grant: mine, currentPassword: PASSWORD, password: NEXT },
  });
  expect(changed.code).toBe('0000');
  expect(await shop.client.auth.resetPassword({ body: { grant, password: PASSWORD } })).toMatchObject({
    status: 400,
    code: '8003',
  });
  expect((await login(email, NEXT)).code).toBe('0000');
});

describe('ending the account', () => {
  const end = (token: string, action: 'disable' | 'delete', currentPassword = PASSWORD) =>
    createClient(shop.url, token).auth.deleteAccount({ body: { action, currentPassword } });

  test('is refused while a subscription runs, and without the correct password', async () => {
    const { token } = await shop.customer('subscriber');
    expect(await end(token, 'delete')).toMatchObject({ status: 400, code: '8007' });
    expect(await end(token, 'delete', 'Wrong!234')).toMatchObject({ status: 400, code: '8006' });
  });

  test('S22 disabling logs out everywhere at once, and later logins look like a wrong password', async () => {
    const token = await signUp('tired@example.com');
    const other = (await login('tired@example.com', PASSWORD)).token!;
    const reset = await shop.client.auth.requestResetPassword({ body: { email: 'tired@example.com' } });
    expect(await end(token, 'disable')).toMatchObject({ status: 200, code: '0000' });
    for (const session of [token, other]) {
      expect(await createClient(shop.url, session).auth.profile()).toMatchObject({
        status: 401,
        code: '8001',
      });
    }
    expect(await login('tired@example.com', PASSWORD)).toMatchObject({ status: 400, code: '8005' });
    await emailTo(shop, 'tired@example.com', /is disabled/);
    // A queued code is not emailed any more.
    shop.clock.advance(60_000);
    const again = await shop.client.auth.requestOTP({
      body: { flow: reset.data!.flow, humanCheck: await proveHuman(shop) },
    });
    expect(again.code).toBe('0000');
    const job = await until(async () => {
      const { rows } = await sql<{ state: string }>`select state from pgboss.job
        where name = 'sendCode' and data ->> 'challengeId' = ${again.data!.flow}`.execute(shop.db);
      return rows[0]?.state === 'completed' && rows[0];
    }, 'the job of the email');
    expect(job.state).toBe('completed');
    const asked = await shop.db
      .selectFrom('challenge')
      .select('code_hash')
      .where('id', '=', again.data!.flow)
      .executeTakeFirstOrThrow();
    expect(asked.code_hash).toBeNull();
  });

  // Emails must still go out, such as the one that asks a bitcoin payer for an address for the refund.
  test('S83 a deleted account is erased after its last emails and refunds, and within 30 days at most', async () => {
    const [quiet, owed] = [await shop.customer('quiet'), await shop.customer('owed')];
    for (const { token, subscriptionId: id } of [quiet, owed]) {
      await createClient(shop.url, token).subscription.cancelSubscription({ body: { id } });
      expect((await end(token, 'delete')).code).toBe('0000');
    }
    const attempt = await shop.db
      .selectFrom('attempt')
      .innerJoin('customer', 'customer.id', 'attempt.customer_id')
      .select(['attempt.id', 'customer_id', 'currency'])
      .where('email', '=', owed.email)
      .executeTakeFirstOrThrow();
    const { id: attempt_id, ...of } = attempt;
    const at = shop.clock.now();
    const asked = { id: 'ref_asked', reason: 'unapplied', status: 'pending', amount: 1 } as const;
    await shop.db
      .insertInto('refund')
      .values({ ...asked, ...of, attempt_id, created_at: at, updated_at: at })
      .execute();
    const left = async () => {
      await shop.sweep();
      const written = shop.db.selectFrom('customer').select('email').where('status', '=', 'deleted');
      const there = (await written.execute()).map(({ email }) => email);
      return [quiet, owed].map(({ email }) => there.includes(email));
    };
    shop.clock.advance(25 * HOUR_MS);
    expect(await left()).toEqual([true, true]);
    shop.clock.advance(2 * HOUR_MS);
    expect(await left()).toEqual([false, true]);
    shop.clock.advance(27 * 24 * HOUR_MS);
    expect(await left()).toEqual([false, true]);
    shop.clock.advance(24 * HOUR_MS);
    expect(await left()).toEqual([false, false]);
  });

  test('S83 deletion cuts the tunnels of a cancelled subscription and leaves no personal data', async () => {
    const { token, client, email, subscriptionId } = await shop.customer('leaver');
    await client.subscription.addKey({ body: { subscriptionId, name: 'leavers-phone' } });
    // A guest order that was never paid.
    const abandoned = await beginOrder(shop.client);
    await shop.client.order.purchase({ body: { ...abandoned.consent, email, language: 'en' } });
    await shop.db.updateTable('shop_order').set({ email }).where('customer_id', 'is', null).execute();
    await shop.db
      .updateTable('subscription')
      .set({ cancel_at_period_end: true })
      .where('id', '=', subscriptionId)
      .execute();
    expect(await end(token, 'delete')).toMatchObject({ status: 200, code: '0000' });
    await expect.poll(() => shop.host.set()!.subscriptions.map(({ id }) => id)).not.toContain(subscriptionId);
    await emailTo(shop, email, /is deleted/);

    const { id } = await shop.db
      .selectFrom('customer')
      .select('id')
      .where('email', '=', email)
      .executeTakeFirstOrThrow();
    await eraseCustomer(shop.db, personal, id);
    for (const { schema = 'public', name } of await shop.db.introspection.getTables()) {
      const { rows } = await sql`select * from ${sql.table(`${schema}.${name}`)}`.execute(shop.db);
      const text = JSON.stringify(rows);
      expect(text, name).not.toContain(email);
      expect(text, name).not.toContain('leavers-phone');
    }
    // The invoice stays.
    const invoices = await shop.db
      .selectFrom('invoice')
      .select('status')
      .where('customer_id', '=', id)
      .execute();
    expect(invoices).toEqual([{ status: 'paid' }]);
  });
});
