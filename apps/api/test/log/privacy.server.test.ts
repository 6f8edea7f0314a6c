import { beginOrder, cardPaymentOf, clientSecretOf, emailTo, until } from '@fixpoint/testkit/buyer.ts';
import { createClient } from '@fixpoint/testkit/client.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { sql } from 'kysely';
import { io } from 'socket.io-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { personal as keepers } from '../../src/compose/personal.ts';
import { eraseCustomer } from '../../src/modules/account/erase-accounts.ts';
import { proveHuman } from '../helpers/people.ts';

/** Values that must not be found afterwards, each unique, so that no match is accidental. */
const EMAIL = 'canary.4f7a@aviary.example';
const PASSWORD = 'Canary!Song4f7a';
const NEXT_PASSWORD = 'Canary!Flew4f7a';
const ADDRESS = '198.51.100.77';
const AGENT = 'CanaryBrowser/4f7a';
const KEY_NAME = 'canary-4f7a-phone';
const from = { 'x-forwarded-for': ADDRESS, 'user-agent': AGENT };

let shop: TestShop;
const lines: string[] = [];
beforeAll(async () => {
  shop = await startTestShop({ LOG_LEVEL: 'debug', TRUST_PROXY: '127.0.0.1' }, line => void lines.push(line));
});
afterAll(() => shop?.stop());

/** Every row of every table as text, the queue's too; bytes are hexadecimal. */
async function everyRow(): Promise<{ table: string; row: string }[]> {
  const { rows: tables } = await sql<{ schema: string; name: string }>`
    select schemaname as schema, tablename as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema')`.execute(shop.db);
  const found: { table: string; row: string }[] = [];
  for (const { schema, name } of tables) {
    const { rows } = await sql<{ row: string }>`
      select to_jsonb(t)::text as row from ${sql.table(`${schema}.${name}`)} t`.execute(shop.db);
    for (const { row } of rows) found.push({ table: `${schema}.${name}`, row });
  }
  return found;
}
const holds = (text: string, canary: string) =>
  text.toLowerCase().includes(canary.toLowerCase()) || text.includes(Buffer.from(canary).toString('hex'));
const tablesWith = async (canary: string) => [
  ...new Set((await everyRow()).filter(({ row }) => holds(row, canary)).map(({ table }) => table)),
];
/** Columns with the email address, which is allowed in its own columns only. */
async function columnsWithEmail(): Promise<string[]> {
  const columns = new Set<string>();
  for (const { table, row } of await everyRow()) {
    for (const [column, value] of Object.entries(JSON.parse(row) as Record<string, unknown>)) {
      if (holds(JSON.stringify(value) ?? '', EMAIL)) columns.add(`${table}.${column}`);
    }
  }
  return [...columns].sort();
}

const codeOf = async (fits: RegExp) => /^(\d{6})/.exec((await emailTo(shop, EMAIL, fits)).Subject)![1]!;

test('S82 S27 S83 the life of a customer leaves no address, password, code, token or place anywhere', async () => {
  const secrets: string[] = [];
  const keep = (...values: (string | undefined)[]) => {
    for (const value of values) if (value) secrets.push(value);
  };
  const visitor = shop.client;
  const { version } = (await visitor.text.getTerm()).data!;

  // Signs up, with a wrong code first.
  const humanCheck = await proveHuman(shop);
  const begun = await visitor.customer.register(
    { body: { email: EMAIL, password: PASSWORD, termsVersion: version, language: 'en', humanCheck } },
    from,
  );
  const { flow } = begun.data!;
  const code = await codeOf(/finish signing up/);
  await visitor.customer.verifyUser({ body: { flow, code: code === '000000' ? '000001' : '000000' } }, from);
  const joined = await visitor.customer.verifyUser({ body: { flow, code } }, from);
  keep(joined.token, joined.data!.refreshToken);

  // Is refused, logs in, refreshes, and uses a stolen token.
  await visitor.auth.login({ body: { email: EMAIL, password: `${PASSWORD}x` } }, from);
  const login = await visitor.auth.login({ body: { email: EMAIL, password: PASSWORD } }, from);
  keep(login.token, login.data!.refreshToken);
  const renewed = await visitor.auth.refresh({ body: { refreshToken: login.data!.refreshToken } }, from);
  keep(renewed.data!.accessToken, renewed.data!.refreshToken);
  shop.clock.advance(60_000);
  await visitor.auth.refresh({ body: { refreshToken: login.data!.refreshToken } }, from);

  // Buys, creates a key and downloads its file.
  const again = await visitor.auth.login({ body: { email: EMAIL, password: PASSWORD } }, from);
  keep(again.token, again.data!.refreshToken);
  const client = createClient(shop.url, again.token);
  const { consent, metadata } = await beginOrder(client);
  const bought = await client.order.purchaseLogin({ body: consent }, from);
  keep(bought.token, metadata.split('|')[5]);
  const socket = io(shop.url, {
    path: '/soc/socket.io/',
    query: { token: bought.token! },
    transports: ['websocket'],
    extraHeaders: from,
  });
  const card = 'pm_card_authenticationRequired';
  const asked = await client.order.confirmPurchase({ body: { metadata, card } }, from);
  keep(clientSecretOf(asked.data));
  await shop.sandbox.control('3ds/complete', { intent: cardPaymentOf(bought.data) });
  await client.order.confirmPurchase({ body: { metadata } }, from);
  const subscriptionId = await until(async () => {
    const { data } = await client.order.purchaseData({ body: { metadata } }, from);
    return data?.subscription?.status === 'active' && data.subscription.id;
  }, 'the subscription');
  const key = await client.subscription.addKey({ body: { subscriptionId, name: KEY_NAME } }, from);
  const file = await client.subscription.downloadKey({ body: { subscriptionId, keyId: key.data!.id } }, from);
  const privateKey = /BEGIN PRIVATE KEY-----\s+(\S{40})/.exec(file.data!.profile)?.[1];
  expect(privateKey).toBeDefined();
  keep(privateKey);
  socket.close();

  // Changes the password while faults happen.
  const change = await client.auth.changePasswordOtp({}, from);
  const changeCode = await codeOf(/to change your password/);
  const grant = await client.auth.verifyChangePassword(
    { body: { flow: change.data!.flow, code: changeCode } },
    from,
  );
  keep(grant.data?.grant);
  const changed = await client.auth.changePassword(
    { body: { grant: grant.data!.grant, currentPassword: PASSWORD, password: NEXT_PASSWORD } },
    from,
  );
  expect(changed.code).toBe('0000');
  await shop.db.schema.alterTable('challenge').renameTo('challenge_gone').execute();
  const broken = await visitor.auth.requestResetPassword({ body: { email: EMAIL } }, from);
  await shop.db.schema.alterTable('challenge_gone').renameTo('challenge').execute();
  expect(broken.code).toBe('9900');
  await shop.sweep();

  const customer = await shop.db
    .selectFrom('customer')
    .select('id')
    .where('email', '=', EMAIL)
    .executeTakeFirstOrThrow();
  const log = lines.join('\n');
  expect(lines.length, 'the log was listened to').toBeGreaterThan(0);
  expect(log).toContain('unexpected');
  const personal = [EMAIL, PASSWORD, NEXT_PASSWORD, ADDRESS, AGENT, KEY_NAME];
  for (const canary of [...personal, ...secrets]) expect(holds(log, canary), canary).toBe(false);
  for (const one of [code, changeCode]) expect(log, one).not.toMatch(new RegExp(`(?<![\\d.-])${one}(?!\\d)`));

  expect(secrets.length).toBeGreaterThan(8);
  for (const canary of [PASSWORD, NEXT_PASSWORD, ADDRESS, AGENT, ...secrets]) {
    expect(await tablesWith(canary), canary).toEqual([]);
  }
  expect(await columnsWithEmail()).toEqual([
    'public.app_user.email',
    'public.challenge.email',
    'public.customer.email',
    'public.invoice.buyer',
    'public.shop_order.email',
  ]);
  expect((await tablesWith(KEY_NAME)).toSorted()).toEqual(['public.audit_detail', 'public.vpn_key']);

  // Deletes the account.
  const last = await visitor.auth.login({ body: { email: EMAIL, password: NEXT_PASSWORD } }, from);
  const leaving = createClient(shop.url, last.token);
  await shop.db
    .updateTable('subscription')
    .set({ cancel_at_period_end: true })
    .where('id', '=', subscriptionId)
    .execute();
  const left = await leaving.auth.deleteAccount(
    { body: { action: 'delete', currentPassword: NEXT_PASSWORD } },
    from,
  );
  expect(left.code).toBe('0000');
  await emailTo(shop, EMAIL, /deleted/i);
  await eraseCustomer(shop.db, keepers, customer.id);
  for (const canary of [...personal, ...secrets, last.token!]) {
    expect(await tablesWith(canary), canary).toEqual([]);
    expect(holds(lines.join('\n'), canary), canary).toBe(false);
  }
});
