import { PASSWORD } from '@fixpoint/testkit/buyer.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { codeIn, proveHuman, signUp } from '../helpers/people.ts';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
const WRONG = 'Wrong!2345x';
let shop: TestShop;
beforeAll(async () => {
  shop = await startTestShop({ LIMITS_SCALE: '1', TRUST_PROXY: '127.0.0.1' });
});
afterAll(() => shop?.stop());
// Resets the limits, so that each test has its own.
beforeEach(() => shop.clock.advance(25 * HOUR_MS));

type Try = { password?: string; from?: string; cookie?: string; proof?: boolean };
const login = async (
  email: string,
  { password = PASSWORD, from = '198.51.100.1', cookie, proof }: Try = {},
) =>
  shop.client.auth.login(
    {
      body: {
        email,
        password,
        refreshIn: 'cookie' as const,
        ...(proof && { humanCheck: await proveHuman(shop) }),
      },
    },
    { 'x-forwarded-for': from, ...(cookie && { cookie }) },
  );
const cookieOf = ({ headers }: { headers: Headers }): string =>
  headers
    .getSetCookie()
    .find(cookie => cookie.startsWith('device='))!
    .split(';')[0]!;
/** Creates a customer. @returns them and the device cookie of their browser */
async function customer(email: string) {
  await signUp(shop, email);
  return { email, cookie: cookieOf(await login(email)) };
}
/** Strangers use up the free tries, so that the next must wait. */
async function besiege(email: string): Promise<void> {
  for (let n = 0; n < 3; n += 1) await login(email, { password: WRONG, from: `203.0.113.${n}` });
}
const waits = { status: 429, code: '9905' };

test('S13 while two hundred networks guess, the owner logs in at once on a known browser, and waits elsewhere', async () => {
  const { email, cookie } = await customer('crowd@example.com');
  let compared = 0;
  async function crowd(networks: number): Promise<void> {
    for (let n = 0; n < networks; n += 1) {
      const answer = await login(email, { password: WRONG, from: `192.0.2.${n}`, proof: true });
      if (answer.code === '8005') compared += 1;
      // They retry as soon as one of them is served, until the wait is at its maximum.
      else if (compared < 12) shop.clock.advance(Number(answer.headers.get('retry-after')) * 1000);
    }
  }
  await crowd(200);
  expect(compared).toBe(12);
  const elsewhere = await login(email, { proof: true });
  expect(elsewhere).toMatchObject(waits);
  expect(Number(elsewhere.headers.get('retry-after'))).toBeGreaterThan(30);
  // No proof of work, no wait, and one mistake is tolerated.
  expect((await login(email, { cookie, password: WRONG })).code).toBe('8005');
  expect((await login(email, { cookie })).code).toBe('0000');

  // Without the cookie the owner competes with them after a wait of at most 40 seconds.
  compared = 0;
  await crowd(60);
  expect(await login(email, { proof: true })).toMatchObject(waits);
  shop.clock.advance(40_000);
  expect(await login(email)).toMatchObject({ ...waits, data: { humanCheck: true } });
  expect((await login(email, { proof: true })).code).toBe('0000');
});

test('S13 a stolen cookie allows fifteen more comparisons in an hour', async () => {
  const { email, cookie } = await customer('stolen@example.com');
  const end = shop.clock.now().getTime() + HOUR_MS;
  let compared = 0;
  for (let n = 0; shop.clock.now().getTime() < end; n += 1) {
    const from = `198.18.${n >> 8}.${n & 255}`;
    const answer = await login(email, { password: WRONG, from, cookie, proof: true });
    if (answer.code === '8005') compared += 1;
    else shop.clock.advance(Number(answer.headers.get('retry-after')) * 1000);
  }
  expect(compared).toBeGreaterThan(97);
  expect(compared).toBeLessThanOrEqual(97 + 15);
});

test('S13 a cookie is valid for its customer only, until their next password or for half a year', async () => {
  const { email, cookie } = await customer('mine@example.com');
  const other = await customer('other@example.com');
  const [name, until, seal] = cookie.split('.');
  await besiege(email);
  for (const worthless of [
    other.cookie,
    `${name}.${Number(until) + 1}.${seal}`,
    `device=${'0'.repeat(36)}.${until}.${seal}`,
    `${name}.${until}.${'A'.repeat(43)}`,
    'device=x',
  ]) {
    expect(await login(email, { cookie: worthless }), worthless).toMatchObject(waits);
  }
  expect((await login(email, { cookie })).code).toBe('0000');

  shop.clock.advance(180 * DAY_MS - 26 * HOUR_MS);
  await besiege(email);
  const renewed = await login(email, { cookie });
  expect(renewed.code).toBe('0000');
  shop.clock.advance(27 * HOUR_MS);
  await besiege(email);
  expect(await login(email, { cookie })).toMatchObject(waits);
  expect((await login(email, { cookie: cookieOf(renewed) })).code).toBe('0000');

  const { flow } = (await shop.client.auth.requestResetPassword({ body: { email } })).data!;
  const code = await codeIn(shop, email, /set a new password/);
  const { grant } = (await shop.client.auth.verifyResetPassword({ body: { flow, code } })).data!;
  const password = 'kR7vQm2x!tulip';
  expect((await shop.client.auth.resetPassword({ body: { grant, password } })).code).toBe('0000');
  await besiege(email);
  expect(await login(email, { cookie: cookieOf(renewed), password })).toMatchObject(waits);
});

test('S83 the cookie is cleared with the account', async () => {
  const { email, cookie } = await customer('leaving@example.com');
  const { data } = await login(email, { cookie });
  const answer = await shop.client.auth.deleteAccount(
    { body: { action: 'delete', currentPassword: PASSWORD } },
    { authorization: `Bearer ${data!.accessToken}` },
  );
  expect(answer.code).toBe('0000');
  expect(answer.headers.getSetCookie().join()).toMatch(/device=;.*(Max-Age=0|1970)/);
});
