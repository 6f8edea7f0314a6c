import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import { emailTo, PASSWORD } from '@fixpoint/testkit/buyer.ts';
import { createClient } from '@fixpoint/testkit/client.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLogger } from '../../src/log/logger.ts';
import { createSessionOf } from '../../src/modules/account/index.ts';
import { createLiveSocket } from '../../src/modules/live/index.ts';
import { connect, signUp } from '../helpers/people.ts';

const DAY_MS = 24 * 60 * 60_000;
const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0';
let shop: TestShop;
beforeAll(async () => {
  shop = await startTestShop();
});
afterAll(() => shop?.stop());

const login = (email: string, userAgent?: string) =>
  shop.client.auth.login(
    { body: { email, password: PASSWORD } },
    userAgent ? { 'user-agent': userAgent } : {},
  );

test('S24 a customer sees their sessions, and ends one or all others', async () => {
  const { client, email } = await signUp(shop, 'many@example.com');
  const firefox = createClient(shop.url, (await login(email, FIREFOX)).token!);
  const third = createClient(shop.url, (await login(email)).token!);
  const { sessions } = (await firefox.account.sessions()).data!;
  expect(sessions).toHaveLength(3);
  const mine = sessions.filter(({ current }) => current);
  expect(mine).toMatchObject([{ device: { browser: 'Firefox', system: 'Windows' } }]);
  expect(mine[0]!.lastUsedOn).toMatch(/^\d{4}-\d\d-\d\d$/);

  const other = (await client.account.sessions()).data!.sessions.find(({ current }) => current)!;
  expect((await firefox.account.endSession({ body: { id: other.id } })).code).toBe('0000');
  expect(await client.auth.profile()).toMatchObject({ status: 401, code: '8001' });
  expect((await third.auth.profile()).code).toBe('0000');

  expect((await firefox.account.endOtherSessions()).data).toEqual({ ended: 1 });
  expect(await third.auth.profile()).toMatchObject({ status: 401, code: '8001' });
  expect((await firefox.account.sessions()).data!.sessions).toHaveLength(1);
});

test('S24 a session of another customer cannot be ended, and looks like an unknown one', async () => {
  const victim = await signUp(shop, 'victim@example.com');
  const other = await signUp(shop, 'nosy@example.com');
  const [session] = (await victim.client.account.sessions()).data!.sessions;
  const foreign = await other.client.account.endSession({ body: { id: session!.id } });
  const unknown = await other.client.account.endSession({ body: { id: 'ses_00000000000000000000' } });
  expect(foreign).toMatchObject({ status: 400, code: '8003' });
  expect(unknown).toMatchObject({ status: 400, code: '8003' });
  expect((await victim.client.auth.profile()).code).toBe('0000');
});

test('S24 a session that is ended on another device loses its socket at once', async () => {
  const { token, client, email } = await signUp(shop, 'socket@example.com');
  const socket = await connect(shop.url, token);
  const elsewhere = createClient(shop.url, (await login(email)).token!);
  expect((await elsewhere.account.endOtherSessions()).data).toEqual({ ended: 1 });
  await expect.poll(() => socket.connected).toBe(false);
  expect((await client.auth.profile()).status).toBe(401);
});

test('S22 a session that ends while its socket joins gets none', async () => {
  const http = createServer();
  let looks = 0;
  const live = createLiveSocket(http, {
    db: shop.db,
    log: createLogger('silent'),
    origins: new Set<string>(),
    clock: shop.clock,
    scale: 1,
    networkOf: () => 'here',
    async sessionOf() {
      looks += 1;
      if (looks > 1) return undefined;
      // Ended after the check and before the socket joins its room.
      setImmediate(() => live.disconnect('session:ses_x'));
      const now = shop.clock.now();
      return {
        sessionId: 'ses_x',
        userId: 'cus_x',
        customerId: 'cus_x',
        confirmedAt: now,
        endsAt: now,
        ownBrowser: false,
        role: 'owner' as const,
      };
    },
  });
  await new Promise<void>(listening => http.listen(0, '127.0.0.1', listening));
  const { port } = http.address() as { port: number };
  await expect(connect(`http://127.0.0.1:${port}`, 'token')).rejects.toThrow('8003');
  await live.close();
});

test('S22 a session that ended while the live bus was down loses its socket when it reconnects', async () => {
  const { token } = await signUp(shop, 'unheard@example.com');
  const socket = await connect(shop.url, token);
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and query like 'listen fixpoint%'`.execute(shop.db);
  await expect.poll(() => socket.connected).toBe(false);
});

test('S24 the owner is notified once of a login on a new device, and never of the first', async () => {
  const { email } = await signUp(shop, 'moving@example.com');
  await login(email, FIREFOX);
  const mail = await emailTo(shop, email, /New login/);
  expect(mail.Text).toContain('Firefox on Windows');
  await login(email, FIREFOX);
  await login(email);
  const begun = await shop.db
    .selectFrom('session')
    .innerJoin('customer', 'customer.id', 'session.customer_id')
    .select('session.id')
    .where('email', '=', email)
    .execute();
  expect(begun).toHaveLength(4);
  // A forged token with the session ID would end the session, so no part of an email contains it.
  expect(mail).toHaveProperty('MessageID');
  for (const { id } of begun) expect(JSON.stringify(mail)).not.toContain(id);
  const query = encodeURIComponent(`to:${email}`);
  const found = await (await fetch(`${shop.sandboxUrl}/mail/api/v1/search?query=${query}`)).json();
  const emails = (found as { messages: { Subject: string }[] }).messages;
  expect(emails.filter(({ Subject }) => /New login/.test(Subject))).toHaveLength(1);
});

test('S24 the owner of a dormant account is notified of a login too', async () => {
  const { email } = await signUp(shop, 'sleeper@example.com');
  shop.clock.advance(90 * DAY_MS);
  await shop.sweep();
  await login(email, FIREFOX);
  expect((await emailTo(shop, email, /New login/)).Text).toContain('Firefox on Windows');
});

test('S21 a session expires after 14 days without use, and after 30 days at the latest', async () => {
  const { email } = await signUp(shop, 'idle@example.com');
  let idle = (await login(email)).data!.refreshToken;
  shop.clock.advance(14 * DAY_MS - 1000);
  idle = (await shop.client.auth.refresh({ body: { refreshToken: idle } })).data!.refreshToken;
  shop.clock.advance(14 * DAY_MS);
  expect(await shop.client.auth.refresh({ body: { refreshToken: idle } })).toMatchObject({ code: '401' });

  let used = (await login(email)).data!.refreshToken;
  for (const days of [10, 10, 9]) {
    shop.clock.advance(days * DAY_MS);
    const { code, data } = await shop.client.auth.refresh({ body: { refreshToken: used } });
    expect(code).toBe('0000');
    used = data!.refreshToken;
  }
  shop.clock.advance(DAY_MS - 60_000);
  const last = await shop.client.auth.refresh({ body: { refreshToken: used } });
  const client = createClient(shop.url, last.data!.accessToken);
  expect((await client.auth.profile()).code).toBe('0000');
  shop.clock.advance(60_000);
  // The access token would be valid for four more minutes.
  expect(await client.auth.profile()).toMatchObject({ status: 401, code: '8001' });
  expect(await shop.client.auth.refresh({ body: { refreshToken: last.data!.refreshToken } })).toMatchObject({
    status: 200,
    code: '401',
  });
});

test('S20 only an access token of this shop authenticates a call', async () => {
  const { email } = await signUp(shop, 'tokens@example.com');
  const { accessToken, refreshToken } = (await login(email)).data!;
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = part({ sub: 'cus_x', exp: 4102444800, typ: 'access' });
  const head = part({ alg: 'HS256', typ: 'JWT' });
  const forged = [
    `${part({ alg: 'none', typ: 'JWT' })}.${claims}.`,
    `${head}.${claims}.${createHmac('sha256', '').update(`${head}.${claims}`).digest('base64url')}`,
    refreshToken,
    `${accessToken}A`,
    accessToken.slice(0, -1),
    'undefined',
    "' or 1=1 --",
  ];
  for (const token of forged) {
    const answer = await shop.client.auth.profile({}, { authorization: `Bearer ${token}` });
    expect(answer, token).toMatchObject({ status: 401, code: '8001' });
  }
  expect(await shop.client.auth.refresh({ body: { refreshToken: accessToken } })).toMatchObject({
    status: 200,
    code: '401',
  });
  const asLink = { authorization: `Bearer ${accessToken}` };
  expect(await shop.client.auth.verifyToken({}, asLink)).toMatchObject({ status: 400, code: '8003' });
});

test('S20 concurrent tokens each find their own session, or none', async () => {
  const people = [await signUp(shop, 'one@example.com'), await signUp(shop, 'two@example.com')];
  const left = await login(people[0]!.email);
  await createClient(shop.url, left.token!).auth.logout({ body: {} });
  const tokens = [...people.map(({ token }) => token), 'nobodys', left.token!, people[0]!.token];
  const sessionOf = createSessionOf(shop.db, shop.clock);
  const alone = [];
  for (const token of tokens) alone.push(await sessionOf(token));
  const together = await Promise.all(['first of all', ...tokens].map(sessionOf));
  expect(together).toEqual([undefined, ...alone]);
  const ids = await Promise.all(people.map(async ({ client }) => (await client.auth.profile()).data!.id));
  expect(together.map(session => session?.customerId)).toEqual([
    ...[undefined, ...ids],
    ...[undefined, undefined, ids[0]],
  ]);
});

test('expired rows are deleted', async () => {
  await signUp(shop, 'swept@example.com');
  await shop.client.account.passkeyLoginOptions();
  await sql`insert into link_token (token_hash, customer_id, purpose, expires_at)
    select 'gone'::bytea, id, 'setPassword', ${shop.clock.now()} from customer
    where email = 'swept@example.com'`.execute(shop.db);
  const tables = ['session', 'challenge', 'link_token', 'ceremony', 'limit_count'] as const;
  for (const table of tables)
    expect(await shop.db.selectFrom(table).selectAll().execute(), table).not.toEqual([]);
  shop.clock.advance(61 * DAY_MS);
  await shop.sweep();
  for (const table of tables) {
    expect(await shop.db.selectFrom(table).selectAll().execute(), table).toEqual([]);
  }
});
