import { PASSWORD } from '@fixpoint/testkit/buyer.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { codeIn } from '../helpers/people.ts';
import { cookieOf, HOUR_MS, logInsAt, WRONG, waits } from './device-log-ins.ts';

const DAY_MS = 24 * HOUR_MS;
let shop: TestShop;
let people: ReturnType<typeof logInsAt>;
beforeAll(async () => {
  shop = await startTestShop({ LIMITS_SCALE: '1', TRUST_PROXY: '127.0.0.1' });
  people = logInsAt(shop);
});
afterAll(() => shop?.stop());
// Resets the limits, so that each test has its own.
beforeEach(() => shop.clock.advance(25 * HOUR_MS));

/** Strangers use up the free tries, so that the next must wait. */
async function besiege(email: string): Promise<void> {
  for (let n = 0; n < 3; n += 1) await people.login(email, { password: WRONG, from: `203.0.113.${n}` });
}

test('S13 a cookie is valid for its customer only, until their next password or for half a year', async () => {
  const { email, cookie } = await people.customer('mine@example.com');
  const other = await people.customer('other@example.com');
  const [name, until, seal] = cookie.split('.');
  await besiege(email);
  for (const worthless of [
    other.cookie,
    `${name}.${Number(until) + 1}.${seal}`,
    `device=${'0'.repeat(36)}.${until}.${seal}`,
    `${name}.${until}.${'A'.repeat(43)}`,
    'device=x',
  ]) {
    expect(await people.login(email, { cookie: worthless }), worthless).toMatchObject(waits);
  }
  expect((await people.login(email, { cookie })).code).toBe('0000');

  shop.clock.advance(180 * DAY_MS - 26 * HOUR_MS);
  await besiege(email);
  const renewed = await people.login(email, { cookie });
  expect(renewed.code).toBe('0000');
  shop.clock.advance(27 * HOUR_MS);
  await besiege(email);
  expect(await people.login(email, { cookie })).toMatchObject(waits);
  expect((await people.login(email, { cookie: cookieOf(renewed) })).code).toBe('0000');

  const { flow } = (await shop.client.auth.requestResetPassword({ body: { email } })).data!;
  const code = await codeIn(shop, email, /set a new password/);
  const { grant } = (await shop.client.auth.verifyResetPassword({ body: { flow, code } })).data!;
  const password = 'kR7vQm2x!tulip';
  expect((await shop.client.auth.resetPassword({ body: { grant, password } })).code).toBe('0000');
  await besiege(email);
  expect(await people.login(email, { cookie: cookieOf(renewed), password })).toMatchObject(waits);
});

test('S83 the cookie is cleared with the account', async () => {
  const { email, cookie } = await people.customer('leaving@example.com');
  const { data } = await people.login(email, { cookie });
  const answer = await shop.client.auth.deleteAccount(
    { body: { action: 'delete', currentPassword: PASSWORD } },
    { authorization: `Bearer ${data!.accessToken}` },
  );
  expect(answer.code).toBe('0000');
  expect(answer.headers.getSetCookie().join()).toMatch(/device=;.*(Max-Age=0|1970)/);
});
