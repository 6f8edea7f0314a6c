import { PASSWORD } from '@fixpoint/testkit/buyer.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { proveHuman, signUp } from '../helpers/people.ts';

let shop: TestShop;
beforeAll(async () => {
  shop = await startTestShop({ TRUST_PROXY: '127.0.0.1' });
});
afterAll(() => shop?.stop());

test('FS5 in a rush of logins a known browser is served first, and late strangers need a proof of work', async () => {
  const { email } = await signUp(shop, 'owner@example.com');
  const login = (headers: Record<string, string>, humanCheck?: string) =>
    shop.client.auth.login(
      { body: { email, password: PASSWORD, refreshIn: 'cookie', ...(humanCheck && { humanCheck }) } },
      headers,
    );
  const cookies = (await login({})).headers.getSetCookie();
  const cookie = cookies.find(each => each.startsWith('device='))!.split(';')[0]!;
  const proof = await proveHuman(shop);

  const answered: string[] = [];
  const rush = Array.from({ length: 150 }, async (_, n) => {
    const { code, data } = await shop.client.auth.login(
      { body: { email: `stranger${n}@example.com`, password: 'Wrong!2345x' } },
      { 'x-forwarded-for': `203.0.113.${n % 50}` },
    );
    answered.push(code);
    return { code, data };
  });
  await expect.poll(() => answered.includes('9905')).toBe(true);
  expect((await login({ cookie })).code).toBe('0000');
  const servedBefore = answered.filter(code => code === '8005').length;
  // Without the cookie the login is queued behind them and needs a proof of work.
  expect((await login({}, proof)).code).toBe('0000');

  const answers = await Promise.all(rush);
  const refused = answers.filter(({ code }) => code !== '8005');
  expect(refused.length).toBeGreaterThan(0);
  // Most strangers of the queue were served after the known browser.
  expect(servedBefore).toBeLessThan((answers.length - refused.length) / 2);
  for (const answer of refused) expect(answer).toMatchObject({ code: '9905', data: { humanCheck: true } });
});
