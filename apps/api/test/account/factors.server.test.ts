import { emailTo, PASSWORD } from '@fixpoint/testkit/buyer.ts';
import { createClient, type TestClient } from '@fixpoint/testkit/client.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codeIn, proveHuman, signUp } from '../helpers/people.ts';
import { whileLocked } from '../helpers/while-locked.ts';
import { createAuthenticator } from './authenticator.ts';

const MINUTE_MS = 60_000;
let shop: TestShop;
beforeAll(async () => {
  shop = await startTestShop();
});
afterAll(() => shop?.stop());

const codeOf = (secret: string) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: shop.clock.now().getTime() });
const login = async (email: string, totp?: string) =>
  shop.client.auth.login({
    body: { email, password: PASSWORD, ...(totp && { totp }), humanCheck: await proveHuman(shop) },
  });

/** Sets up an authenticator app, and advances to the next code. */
async function setUpApp(client: TestClient) {
  const { secret } = (await client.account.beginTotp()).data!;
  const { recoveryCodes } = (await client.account.confirmTotp({ body: { code: codeOf(secret) } })).data!;
  shop.clock.advance(MINUTE_MS);
  return { secret, recoveryCodes };
}

async function addPasskey(client: TestClient, name = 'Laptop') {
  const authenticator = createAuthenticator(shop.url);
  const { flow, options } = (await client.account.addPasskeyOptions()).data!;
  const added = await client.account.addPasskey({
    body: { flow, name, response: authenticator.create(options) },
  });
  return { authenticator, added };
}

describe('authenticator app', () => {
  test('S15 a login needs its code, and a code works once', async () => {
    const { client, email } = await signUp(shop, 'app@example.com');
    const { secret, uri } = (await client.account.beginTotp()).data!;
    expect(uri).toMatch(/^otpauth:\/\/totp\/Fixpoint:app%40example.com\?/);
    // Not required before it is confirmed.
    expect((await login(email)).code).toBe('0000');
    expect(await client.account.confirmTotp({ body: { code: '000000' } })).toMatchObject({ code: '7006' });
    const { recoveryCodes } = (await client.account.confirmTotp({ body: { code: codeOf(secret) } })).data!;
    expect(new Set(recoveryCodes).size).toBe(10);
    expect((await client.auth.profile()).data).toMatchObject({ totp: true, recoveryCodesLeft: 10 });
    // That code was used to set it up.
    expect(await login(email, codeOf(secret))).toMatchObject({ status: 400, code: '7006' });

    shop.clock.advance(MINUTE_MS);
    expect(await login(email)).toMatchObject({ status: 400, code: '8000', data: { secondFactor: ['totp'] } });
    const code = codeOf(secret);
    expect((await login(email, `${code.slice(0, 3)} ${code.slice(3)}`)).code).toBe('0000');
    expect(await login(email, code)).toMatchObject({ status: 400, code: '7006' });

    // Digits as keyboards of our languages write them.
    for (const zero of ['၀', '๐', '０']) {
      shop.clock.advance(MINUTE_MS);
      const typed = codeOf(secret).replace(/\d/g, digit =>
        String.fromCharCode(zero.charCodeAt(0) + Number(digit)),
      );
      expect((await login(email, typed)).code).toBe('0000');
    }
  });

  test('S15 of two concurrent logins with one code one succeeds', async () => {
    const { client, email } = await signUp(shop, 'race@example.com');
    const { secret } = await setUpApp(client);
    const code = codeOf(secret);
    const answers = await Promise.all([login(email, code), login(email, code)]);
    expect(answers.filter(answer => answer.code === '0000')).toHaveLength(1);
  });

  test('S15 a code of the first tab does not confirm the secret of a second tab', async () => {
    const { client, email } = await signUp(shop, 'two-tabs@example.com');
    const { secret } = (await client.account.beginTotp()).data!;
    const { id } = (await client.auth.profile()).data!;
    const late = await whileLocked(
      shop,
      `select from totp where customer_id = '${id}' for update`,
      () => client.account.confirmTotp({ body: { code: codeOf(secret) } }),
      holder => holder.query("update totp set secret_sealed = '\\x00' where customer_id = $1", [id]),
    );
    expect(late).toMatchObject({ status: 400, code: '7007' });
    expect((await client.auth.profile()).data).toMatchObject({ totp: false, recoveryCodesLeft: 0 });
    expect((await login(email)).code).toBe('0000');
  });

  test('S15 somebody with the password can guess twenty codes a day, and recovery codes stay usable', async () => {
    const { client, email } = await signUp(shop, 'guessed@example.com');
    const { secret, recoveryCodes } = await setUpApp(client);
    const enter = async (totp: string) => {
      shop.clock.advance(16 * MINUTE_MS);
      const humanCheck = await proveHuman(shop);
      return shop.client.auth.login({ body: { email, password: PASSWORD, totp, humanCheck } });
    };
    for (let n = 0; n < 20; n += 1) {
      const right = codeOf(secret);
      expect(await enter(right === '000000' ? '111111' : '000000')).toMatchObject({ code: '7006' });
    }
    shop.clock.advance(MINUTE_MS);
    const asked = await enter('000000');
    expect(asked).toMatchObject({ status: 429, code: '9905', data: { secondFactor: ['totp'] } });
    expect(Number(asked.headers.get('retry-after'))).toBeGreaterThan(3600);
    expect((await enter(recoveryCodes[0]!)).code).toBe('0000');
    shop.clock.advance(24 * 60 * MINUTE_MS);
    expect((await login(email, codeOf(secret))).code).toBe('0000');
  });

  test('a recovery code works once, and new ones invalidate the old', async () => {
    const { client, email } = await signUp(shop, 'lost@example.com');
    const { recoveryCodes } = await setUpApp(client);
    expect((await login(email, recoveryCodes[0])).code).toBe('0000');
    expect(await login(email, recoveryCodes[0])).toMatchObject({ code: '7006' });
    expect((await client.auth.profile()).data).toMatchObject({ recoveryCodesLeft: 9 });
    const renewed = (await client.account.newRecoveryCodes()).data!.recoveryCodes;
    shop.clock.advance(MINUTE_MS);
    expect(await login(email, recoveryCodes[1])).toMatchObject({ code: '7006' });
    shop.clock.advance(MINUTE_MS);
    expect((await login(email, renewed[0]!.toUpperCase().replace('-', ' '))).code).toBe('0000');
  });

  test('S80 neither secret nor recovery codes are readable in the database', async () => {
    const { client } = await signUp(shop, 'dump@example.com');
    const { secret, recoveryCodes } = await setUpApp(client);
    const rows = [
      ...(await shop.db.selectFrom('totp').selectAll().execute()),
      ...(await shop.db.selectFrom('recovery_code').selectAll().execute()),
    ];
    expect(rows.length).toBeGreaterThan(1);
    // Includes columns of bytes.
    const dump = rows
      .flatMap(row => Object.values(row))
      .map(value => (Buffer.isBuffer(value) ? value.toString('latin1') : String(value)))
      .join('\n');
    const bytes = Buffer.from(Secret.fromBase32(secret).buffer);
    for (const canary of [secret, ...recoveryCodes]) expect(dump).not.toContain(canary);
    const sealed = await shop.db.selectFrom('totp').select('secret_sealed').execute();
    expect(sealed.some(row => row.secret_sealed.includes(bytes))).toBe(false);
  });
});

describe('passkeys', () => {
  test('S15 is added with a name, logs in by itself, and is removed', async () => {
    const { client, email } = await signUp(shop, 'key@example.com');
    const { authenticator, added } = await addPasskey(client, 'Work laptop');
    expect(added.data).toMatchObject({ name: 'Work laptop', lastUsedOn: null });
    expect((await client.auth.profile()).data).toMatchObject({ passkeys: 1 });

    const { flow, options } = (await shop.client.account.passkeyLoginOptions()).data!;
    expect(options.allowCredentials).toEqual([]);
    const response = authenticator.get(options);
    const answer = await shop.client.account.passkeyLogin({ body: { flow, response } });
    const profile = await createClient(shop.url, answer.token!).auth.profile();
    expect(profile.data).toMatchObject({ email });
    expect((await client.account.passkeys()).data!.passkeys[0]!.lastUsedOn).toMatch(/^\d{4}-\d\d-\d\d$/);

    // The password alone still works: a passkey is an alternative, not a second factor.
    expect((await login(email)).code).toBe('0000');
    expect((await client.account.removePasskey({ body: { id: added.data!.id } })).code).toBe('0000');
    const again = (await shop.client.account.passkeyLoginOptions()).data!;
    const late = await shop.client.account.passkeyLogin({
      body: { flow: again.flow, response: authenticator.get(again.options) },
    });
    expect(late).toMatchObject({ status: 400, code: '8000' });
  });

  test('S15 an answer is valid once, for its own challenge, from our own origin, within five minutes', async () => {
    const { client } = await signUp(shop, 'strict@example.com');
    const { authenticator } = await addPasskey(client);
    const begin = async () => (await shop.client.account.passkeyLoginOptions()).data!;
    const send = (flow: string, response: ReturnType<typeof authenticator.get>) =>
      shop.client.account.passkeyLogin({ body: { flow, response } });
    const refused = { status: 400, code: '8000' };

    const first = await begin();
    const response = authenticator.get(first.options);
    expect((await send(first.flow, response)).code).toBe('0000');
    expect(await send(first.flow, response)).toMatchObject(refused);
    expect(await send((await begin()).flow, response)).toMatchObject(refused);

    const late = await begin();
    shop.clock.advance(5 * MINUTE_MS);
    expect(await send(late.flow, authenticator.get(late.options))).toMatchObject(refused);

    const stranger = createAuthenticator('https://evil.example');
    const elsewhere = await begin();
    expect(await send(elsewhere.flow, stranger.get(elsewhere.options))).toMatchObject(refused);
  });

  test('SE10 S15 a passkey logs in only with the user handle of its customer', async () => {
    const { client } = await signUp(shop, 'handle@example.com');
    const { authenticator } = await addPasskey(client);
    const send = async (handle: string) => {
      const { flow, options } = (await shop.client.account.passkeyLoginOptions()).data!;
      return shop.client.account.passkeyLogin({
        body: { flow, response: authenticator.get(options, handle) },
      });
    };
    const refused = { status: 400, code: '8000' };
    // Without one the shop would have to guess who logs in.
    for (const handle of ['', Buffer.from('cus_another').toString('base64url')])
      expect(await send(handle)).toMatchObject(refused);
    const { flow, options } = (await client.account.stepUpOptions()).data!;
    const response = authenticator.get(options, '');
    expect((await client.account.stepUp({ body: { method: 'passkey', flow, response } })).code).toBe('0000');
  });

  test('S15 are limited to twenty, also when more registrations had begun', async () => {
    const { client } = await signUp(shop, 'collector@example.com');
    const begun = [];
    for (let n = 0; n < 22; n += 1) begun.push((await client.account.addPasskeyOptions()).data!);
    const answers = await Promise.all(
      begun.map(({ flow, options }) => {
        const response = createAuthenticator(shop.url).create(options);
        return client.account.addPasskey({ body: { flow, name: 'One more', response } });
      }),
    );
    expect(answers.filter(({ code }) => code === '0000')).toHaveLength(20);
    expect(answers.filter(({ code }) => code === '8000')).toHaveLength(2);
  });

  test('a passkey of another customer cannot be removed', async () => {
    const owner = await signUp(shop, 'owner@example.com');
    const other = await signUp(shop, 'thief@example.com');
    const { added } = await addPasskey(owner.client);
    expect(await other.client.account.removePasskey({ body: { id: added.data!.id } })).toMatchObject({
      status: 400,
      code: '8003',
    });
  });
});

describe('S16 an irreversible action', () => {
  const wanted = { status: 403, code: '8004' };

  test('needs a session that was begun or confirmed in the last five minutes', async () => {
    const { client, email, subscriptionId } = await shop.customer('stepper');
    const key = (await client.subscription.addKey({ body: { subscriptionId, name: 'phone' } })).data!;
    const { refreshToken } = (await login(email)).data!;
    const download = (by: TestClient) =>
      by.subscription.downloadKey({ body: { subscriptionId, keyId: key.id } });
    // Not needed right after login.
    expect((await download(client)).code).toBe('0000');

    shop.clock.advance(5 * MINUTE_MS + 1000);
    const refreshed = (await shop.client.auth.refresh({ body: { refreshToken } })).data!.accessToken;
    const old = createClient(shop.url, refreshed);
    const methods = { stepUp: { methods: ['password'] } };
    expect(await download(old)).toMatchObject({ ...wanted, data: methods });
    for (const call of [
      old.account.addPasskeyOptions(),
      old.account.beginTotp(),
      old.account.removeTotp(),
      old.account.removePasskey({ body: { id: 'x' } }),
      old.account.newRecoveryCodes(),
      old.account.exportData(),
    ]) {
      expect(await call).toMatchObject(wanted);
    }
    const wrong = await old.account.stepUp({ body: { method: 'password', password: 'Wrong!234' } });
    expect(wrong).toMatchObject({ status: 400, code: '8006' });
    expect(await download(old)).toMatchObject(wanted);
    expect((await old.account.stepUp({ body: { method: 'password', password: PASSWORD } })).code).toBe(
      '0000',
    );
    expect((await download(old)).code).toBe('0000');
    shop.clock.advance(4 * MINUTE_MS);
    expect((await old.account.exportData()).data).toMatchObject({
      account: { email },
      subscriptions: [{ id: subscriptionId }],
      keys: [{ subscription: subscriptionId, name: 'phone' }],
    });
  });

  test('with an app set up, a password alone neither confirms nor deletes', async () => {
    const { client, email } = await signUp(shop, 'strong@example.com');
    const { secret } = await setUpApp(client);
    await addPasskey(client);
    const { refreshToken } = (await login(email, codeOf(secret))).data!;
    shop.clock.advance(6 * MINUTE_MS);
    const { accessToken } = (await shop.client.auth.refresh({ body: { refreshToken } })).data!;
    const old = createClient(shop.url, accessToken);
    const methods = { stepUp: { methods: ['totp', 'passkey'] } };
    expect(await old.account.removeTotp()).toMatchObject({ ...wanted, data: methods });
    const byPassword = await old.account.stepUp({ body: { method: 'password', password: PASSWORD } });
    expect(byPassword).toMatchObject({ status: 400, code: '8000' });
    const end = () => old.auth.deleteAccount({ body: { action: 'disable', currentPassword: PASSWORD } });
    expect(await end()).toMatchObject({ ...wanted, data: methods });
    expect((await old.account.stepUp({ body: { method: 'totp', code: codeOf(secret) } })).code).toBe('0000');
    expect((await end()).code).toBe('0000');
  });

  test('a passkey confirms too, but only one of the same customer', async () => {
    const { client } = await signUp(shop, 'confirm@example.com');
    const { authenticator } = await addPasskey(client);
    const other = await signUp(shop, 'other-key@example.com');
    const foreign = (await addPasskey(other.client)).authenticator;
    const prove = async (by: typeof authenticator) => {
      const { flow, options } = (await client.account.stepUpOptions()).data!;
      return client.account.stepUp({ body: { method: 'passkey', flow, response: by.get(options) } });
    };
    expect(await prove(foreign)).toMatchObject({ status: 400, code: '8000' });
    expect((await prove(authenticator)).code).toBe('0000');
  });

  test('password guesses within a stolen session are slowed down', async () => {
    const { client } = await signUp(shop, 'stolen@example.com');
    const guess = () => client.account.stepUp({ body: { method: 'password', password: 'Wrong!234' } });
    for (let tries = 0; tries < 3; tries += 1)
      expect(await guess(), `${tries}`).toMatchObject({ code: '8006' });
    const fourth = await guess();
    expect(fourth).toMatchObject({ status: 429, code: '9905' });
    expect(fourth.headers.get('retry-after')).toBe('1');
  });
});

test('U68 the owner gets an email when a login method is added, removed or changed', async () => {
  const { client, email } = await signUp(shop, 'told@example.com');
  const notices = async () => {
    const query = encodeURIComponent(`to:${email}`);
    const list = await fetch(`${shop.sandboxUrl}/mail/api/v1/search?query=${query}`);
    const { messages } = (await list.json()) as { messages: { Subject: string }[] };
    return messages.filter(({ Subject }) => /login settings/.test(Subject)).length;
  };
  // An unconfirmed app changes nothing.
  await client.account.beginTotp();
  await client.account.removeTotp();

  const { added } = await addPasskey(client);
  await emailTo(shop, email, /new passkey has been added/);
  await client.account.removePasskey({ body: { id: added.data!.id } });
  await emailTo(shop, email, /passkey has been removed/);
  expect((await client.account.removePasskey({ body: { id: added.data!.id } })).code).toBe('8003');
  await setUpApp(client);
  await emailTo(shop, email, /authenticator app has been set up/);
  await client.account.newRecoveryCodes();
  await emailTo(shop, email, /New recovery codes have been made/);
  await client.account.removeTotp();
  const last = await emailTo(shop, email, /authenticator app for your account has been turned off/);
  expect(last.Text).toContain('change your password at once');
  expect(await notices()).toBe(5);
});

test('the language of emails can be set', async () => {
  const { client, email } = await signUp(shop, 'lingua@example.com');
  expect((await client.account.setLanguage({ body: { language: 'vn' } })).code).toBe('0000');
  expect((await client.auth.profile()).data).toMatchObject({ language: 'vn' });
  await shop.client.auth.requestResetPassword({ body: { email } });
  expect(await codeIn(shop, email, /mật khẩu/i)).toMatch(/^\d{6}$/);
});
