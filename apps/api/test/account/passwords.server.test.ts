import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@fixpoint/dev-stack/ports.ts';
import { startPostgres } from '@fixpoint/postgres/postgres.ts';
import { databaseSettings } from '@fixpoint/postgres/roles.ts';
import { PASSWORD } from '@fixpoint/testkit/buyer.ts';
import { createClient } from '@fixpoint/testkit/client.ts';
import { manualClock, startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { hash } from '@node-rs/argon2';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startShop } from '../../src/compose/shop.ts';
import { readEnv } from '../../src/env/env.ts';
import { createLogger } from '../../src/log/logger.ts';
import { createPasswords } from '../../src/modules/account/index.ts';
import { codeIn, proveHuman, signUp } from '../helpers/people.ts';

const WRONG = 'Wrong!2345x';
let shop: TestShop;
let termsVersion: string;
beforeAll(async () => {
  shop = await startTestShop({ SIGNUP_REVEALS_EMAIL: 'false' });
  termsVersion = (await shop.client.text.getTerm()).data!.version;
});
afterAll(() => shop?.stop());

const login = (email: string, password: string) => shop.client.auth.login({ body: { email, password } });
const register = async (email: string, password: string) => {
  const humanCheck = await proveHuman(shop);
  return shop.client.customer.register({
    body: { email, password, termsVersion, language: 'en', humanCheck },
  });
};
const hashOf = async (email: string) =>
  (await shop.db
    .selectFrom('customer')
    .select('password_hash')
    .where('email', '=', email)
    .executeTakeFirstOrThrow())!.password_hash!;

describe('S01 passwords', () => {
  const refused = (text: string) => ({ status: 400, code: '7000', data: { fields: { password: text } } });
  const common = refused('form.password.common');
  // Their customer reads why.
  const own = refused('form.password.own');

  test('that are common are refused everywhere, including the name of the shop and the own address', async () => {
    expect(await register('marisol.vega@example.com', 'Passw0rd!')).toMatchObject(common);
    expect(await register('marisol.vega@example.com', 'Fixpoint1!')).toMatchObject(own);
    expect(await register('marisol.vega@example.com', 'Marisol2026!')).toMatchObject(own);
    const { client, email } = await signUp(shop, 'marisol.vega@example.com');

    const reset = (await shop.client.auth.requestResetPassword({ body: { email } })).data!;
    const code = await codeIn(shop, email, /set a new password/);
    const { grant } = (await shop.client.auth.verifyResetPassword({ body: { flow: reset.flow, code } }))
      .data!;
    const set = (password: string) => shop.client.auth.resetPassword({ body: { grant, password } });
    expect(await set('Marisol2026!')).toMatchObject(own);
    // The grant stays valid.
    expect((await set(PASSWORD)).code).toBe('0000');
    expect((await client.auth.profile()).status).toBe(401);
  });

  test('of 128 characters are compared completely, and 129 are refused', async () => {
    const long = `Aa1!${'kR7vQm2x'.repeat(16)}`.slice(0, 128);
    const { email } = await signUp(shop, 'long@example.com', long);
    expect((await login(email, long.slice(0, 127))).code).toBe('8005');
    expect((await login(email, `${long.slice(0, 127)}!`)).code).toBe('8005');
    expect((await login(email, long)).code).toBe('0000');
    expect(await register('longer@example.com', `${long}a`)).toMatchObject({ status: 400, code: '7000' });
  });
});

describe('S02 hashes', () => {
  test('are Argon2id with at least 19 MiB, under a pepper that is not in the database', async () => {
    const { email } = await signUp(shop, 'pepper@example.com');
    const stored = await hashOf(email);
    expect(stored).toMatch(/^[\da-f]{8}\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    const without = createPasswords([randomBytes(32)]);
    expect(await without.verify(stored, PASSWORD)).toBe(false);
  });

  test('are rehashed at login when cost or pepper has changed', async () => {
    const { email } = await signUp(shop, 'renew@example.com');
    const old = await hash(PASSWORD, { memoryCost: 8192, timeCost: 2, parallelism: 1 });
    await shop.db.updateTable('customer').set({ password_hash: old }).where('email', '=', email).execute();
    expect((await login(email, WRONG)).code).toBe('8005');
    expect(await hashOf(email)).toBe(old);
    expect((await login(email, PASSWORD)).code).toBe('0000');
    expect(await hashOf(email)).toMatch(/^[\da-f]{8}\$argon2id\$v=19\$m=19456,/);
    expect((await login(email, PASSWORD)).code).toBe('0000');
  });

  test('with an earlier pepper stay valid beside a new one', async () => {
    const [one, two] = [randomBytes(32), randomBytes(32)];
    const before = createPasswords([one]);
    const stored = await before.hash(PASSWORD);
    const after = createPasswords([two, one]);
    expect(await after.verify(stored, PASSWORD)).toBe(true);
    expect(await after.verify(stored, WRONG)).toBe(false);
    expect([before.isOutdated(stored), after.isOutdated(stored)]).toEqual([false, true]);
  });
});

test('S71 without its database the shop refuses logins and still shows its prices', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'fixpoint-outage-'));
  const postgres = await startPostgres({ dataDir: folder, durable: false });
  const port = await freePort();
  const env = readEnv({
    PORT: String(port),
    ...databaseSettings(postgres.urls),
    DATA_DIR: folder,
    WEB_DIR: folder,
    SEED: 'demo',
    LOG_LEVEL: 'silent',
    STRIPE_SECRET: 'sk_test_x',
    STRIPE_PUB: 'pk_test_x',
    STRIPE_WEBHOOK_SECRETS: 'whsec_x',
    SMTP_URL: 'smtp://127.0.0.1:1',
  });
  const alone = await startShop(env, createLogger('silent'), manualClock());
  let stopped = false;
  try {
    const client = createClient(`http://127.0.0.1:${port}`);
    const plans = await client.order.getAllPlan({ query: {} });
    expect(plans.code).toBe('0000');
    await postgres.stop();
    stopped = true;
    const answer = await client.auth.login({ body: { email: 'a@example.com', password: PASSWORD } });
    expect(answer).toMatchObject({ status: 503, code: '9902' });
    const digest = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('hex');
    const still = await client.order.getAllPlan({ query: {} });
    expect(digest(still.data)).toBe(digest(plans.data));
  } finally {
    await alone.close().catch(() => {});
    if (!stopped) await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
});
