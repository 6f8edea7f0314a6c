import { beginOrder, cardPaymentOf, confirmCard, emailTo, PASSWORD } from '@fixpoint/testkit/buyer.ts';
import { createClient } from '@fixpoint/testkit/client.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

let shop: TestShop;
let customer: Awaited<ReturnType<TestShop['customer']>>;
beforeAll(async () => {
  shop = await startTestShop();
  customer = await shop.customer('owner');
});
afterAll(() => shop?.stop());

const login = (refreshIn: 'body' | 'cookie' = 'body') =>
  shop.client.auth.login({ body: { email: customer.email, password: PASSWORD, refreshIn } });

test('S14 a link can be read repeatedly, sets one password, and expires after 24 hours', async () => {
  const buyer = async (email: string) => {
    const { consent, metadata } = await beginOrder(shop.client);
    const bought = await shop.client.order.purchase({ body: { ...consent, email, language: 'en' } });
    await confirmCard(shop, cardPaymentOf(bought.data));
    await shop.client.order.confirmPurchase({ body: { metadata } });
    const mail = await emailTo(shop, email, /reset-password\?token=/);
    // In the fragment, which browsers do not send.
    expect(mail.Text).toMatch(/\/#\/en\/auth\/reset-password\?token=[\w-]{43}&next=/);
    return { authorization: `Bearer ${/token=([\w-]+)/.exec(mail.Text)![1]}` };
  };
  const link = await buyer('looks@example.com');
  const late = await buyer('late@example.com');
  for (let looks = 0; looks < 5; looks += 1) {
    const { data } = await shop.client.auth.verifyToken({}, link);
    expect(data).toEqual({ email: 'looks@example.com', purpose: 'setPassword' });
  }
  const set = (by: typeof link) => shop.client.auth.setPassword({ body: { password: PASSWORD } }, by);
  const answers = await Promise.all(Array.from({ length: 5 }, () => set(link)));
  expect(answers.map(({ code }) => code).sort()).toEqual(['0000', '8003', '8003', '8003', '8003']);
  expect(await shop.client.auth.verifyToken({}, link)).toMatchObject({ status: 400, code: '8003' });

  shop.clock.advance(24 * 60 * 60_000 - 1000);
  expect((await shop.client.auth.verifyToken({}, late)).code).toBe('0000');
  shop.clock.advance(1000);
  expect(await shop.client.auth.verifyToken({}, late)).toMatchObject({ status: 400, code: '8003' });
  expect(await set(late)).toMatchObject({ status: 400, code: '8003' });
});

test('S14 the link for the first password works once, and for nothing else', async () => {
  const mail = await emailTo(shop, customer.email, /reset-password\?token=/);
  const link = /token=([\w-]+)/.exec(mail.Text)![1]!;
  const bearer = { authorization: `Bearer ${link}` };
  expect(await shop.client.auth.profile({}, bearer)).toMatchObject({ status: 401, code: '8001' });
  // The link was used for this login.
  expect(await shop.client.auth.verifyToken({}, bearer)).toMatchObject({ status: 400, code: '8003' });
  const again = await shop.client.auth.setPassword({ body: { password: PASSWORD } }, bearer);
  expect(again).toMatchObject({ status: 400, code: '8003' });
});

test('a password that is too short or too long is refused with its own code', async () => {
  const answer = await shop.client.auth.setPassword(
    { body: { password: 'short' } },
    { authorization: 'Bearer x' },
  );
  expect(answer).toMatchObject({
    status: 400,
    code: '7000',
    data: { fields: { password: 'form.password.rule' } },
  });
});

test('a wrong password and an unknown address have the same answer', async () => {
  const wrong = await shop.client.auth.login({ body: { email: customer.email, password: 'Wrong!234' } });
  const unknown = await shop.client.auth.login({
    body: { email: 'nobody@example.com', password: 'Wrong!234' },
  });
  const { headers: _a, ...one } = wrong;
  const { headers: _b, ...two } = unknown;
  expect(one).toEqual({ status: 400, code: '8005', message: 'credentialsWrong' });
  expect(two).toEqual(one);
});

test('S18 a browser gets the refresh token as a cookie that no script can read', async () => {
  const answer = await login('cookie');
  expect(answer.data!.refreshToken).toBe('');
  const cookie = answer.headers.get('set-cookie')!;
  expect(cookie).toMatch(/^refresh=ses_\w+\.[\w-]{43};/);
  for (const flag of ['HttpOnly', 'SameSite=Strict', 'Path=/']) expect(cookie).toContain(flag);
  const refreshed = await shop.client.auth.refresh({ body: {} }, { cookie: cookie.split(';')[0]! });
  expect(refreshed.code).toBe('0000');
  expect(refreshed.data!.refreshToken).toBe('');
});

test('S19 FS16 a refresh token is used once; ten concurrent uses cause one rotation, and all continue', async () => {
  const { refreshToken } = (await login()).data!;
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => shop.client.auth.refresh({ body: { refreshToken } })),
  );
  expect(answers.every(answer => answer.code === '0000')).toBe(true);
  const rotated = answers.filter(answer => answer.data!.refreshToken !== '');
  expect(rotated).toHaveLength(1);
  const tabs = answers.map(answer => createClient(shop.url, answer.data!.accessToken).auth.profile());
  for (const { code } of await Promise.all(tabs)) expect(code).toBe('0000');

  shop.clock.advance(11_000);
  const replay = await shop.client.auth.refresh({ body: { refreshToken } });
  expect(replay).toMatchObject({ status: 200, code: '401' });
  // The replay ends the session for both: the newest token is invalid too.
  const newest = await shop.client.auth.refresh({ body: { refreshToken: rotated[0]!.data!.refreshToken } });
  expect(newest).toMatchObject({ status: 200, code: '401' });
});

test('S19 a thief who keeps exchanging a token is logged out when its owner uses it', async () => {
  const stolen = (await login()).data!.refreshToken;
  const exchange = async (refreshToken: string) =>
    (await shop.client.auth.refresh({ body: { refreshToken } })).data!;
  let thiefs = await exchange(stolen);
  for (let n = 0; n < 3; n += 1) {
    shop.clock.advance(60_000);
    thiefs = await exchange(thiefs.refreshToken);
  }
  const thief = createClient(shop.url, thiefs.accessToken);
  expect((await thief.auth.profile()).code).toBe('0000');
  expect(await shop.client.auth.refresh({ body: { refreshToken: stolen } })).toMatchObject({ code: '401' });
  expect((await thief.auth.profile()).status).toBe(401);
  expect(await shop.client.auth.refresh({ body: { refreshToken: thiefs.refreshToken } })).toMatchObject({
    code: '401',
  });
});

test('an access token expires after five minutes, and at once after logout', async () => {
  const first = (await login()).token!;
  expect((await createClient(shop.url, first).auth.profile()).data).toMatchObject({ email: customer.email });
  shop.clock.advance(5 * 60_000 + 1);
  expect(await createClient(shop.url, first).auth.profile()).toMatchObject({ status: 401, code: '8001' });

  const second = createClient(shop.url, (await login()).token!);
  await second.auth.logout();
  expect(await second.auth.profile()).toMatchObject({ status: 401, code: '8001' });
});

test('S25 another site cannot make a browser call the shop', async () => {
  const send = (headers: Record<string, string>, body = '{}', path = '/v1/auth/logout') =>
    fetch(`${shop.url}${path}`, { method: 'POST', headers, body });
  expect((await send({ 'content-type': 'application/json', origin: 'https://evil.example' })).status).toBe(
    403,
  );
  expect((await send({ 'content-type': 'application/json', 'sec-fetch-site': 'cross-site' })).status).toBe(
    403,
  );
  // The router treats these as the same call.
  for (const path of [
    '/%761/auth/logout',
    '/%76%31/auth/logout/',
    '/v1%2Fauth/logout',
    '/v1/auth/%6Cogout',
  ]) {
    const answer = await send(
      { 'content-type': 'application/json', origin: 'https://evil.example' },
      '{}',
      path,
    );
    expect([403, 404], path).toContain(answer.status);
  }
  expect((await send({ 'content-type': 'text/plain' })).status).toBe(415);
  expect((await send({ 'content-type': 'application/x-www-form-urlencoded' }, 'a=1')).status).toBe(415);
});
