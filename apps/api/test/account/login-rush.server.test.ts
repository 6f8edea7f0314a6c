import { PASSWORD } from '@fixpoint/testkit/buyer.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import type * as argon2 from '@node-rs/argon2';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type * as passwordHashing from '../../src/modules/account/passwords.ts';
import { proveHuman, signUp } from '../helpers/people.ts';

/** Comparisons wait at the gate while it is closed, so that the queue's length is no question of speed. */
const { gate, compared, queued } = vi.hoisted(() => ({
  gate: { open: Promise.resolve() },
  compared: [] as string[],
  queued: [] as string[],
}));
vi.mock('@node-rs/argon2', async load => {
  const real = await load<typeof argon2>();
  return {
    ...real,
    verify: async (...asked: Parameters<typeof real.verify>) => {
      compared.push(String(asked[1]));
      await gate.open;
      return real.verify(...asked);
    },
  };
});
vi.mock('../../src/modules/account/passwords.ts', async load => {
  const real = await load<typeof passwordHashing>();
  const createPasswords: typeof real.createPasswords = peppers => {
    const passwords = real.createPasswords(peppers);
    const verify: typeof passwords.verify = (passwordHash, password, asked) => {
      queued.push(password);
      return passwords.verify(passwordHash, password, asked);
    };
    return { ...passwords, verify };
  };
  return { ...real, createPasswords };
});

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
  const { promise, resolve: open } = Promise.withResolvers<void>();
  gate.open = promise;
  compared.length = 0;
  queued.length = 0;

  let refusals = 0;
  const wrong = 'Wrong!2345x';
  const rush = Array.from({ length: 150 }, async (_, n) => {
    const { code, data } = await shop.client.auth.login(
      { body: { email: `stranger${n}@example.com`, password: wrong } },
      { 'x-forwarded-for': `203.0.113.${n % 50}` },
    );
    if (code === '9905') refusals++;
    return { code, data };
  });
  await expect.poll(() => refusals + queued.length).toBe(150);
  const strangers = queued.length;
  const known = login({ cookie });
  await expect.poll(() => queued.length).toBe(strangers + 1);
  // Without the cookie the login is queued behind them and needs a proof of work.
  expect((await login({})).code).toBe('9905');
  const proved = login({}, proof);
  await expect.poll(() => queued.length).toBe(strangers + 2);
  const atGate = compared.length;
  open();

  expect((await known).code).toBe('0000');
  expect((await proved).code).toBe('0000');
  const answers = await Promise.all(rush);
  const refused = answers.filter(({ code }) => code !== '8005');
  expect(refused).toHaveLength(refusals);
  expect(refusals).toBeGreaterThan(0);
  for (const answer of refused) expect(answer).toMatchObject({ code: '9905', data: { humanCheck: true } });
  // The known browser is next after those at the gate, and the proved stranger comes after all others.
  expect(compared[atGate]).toBe(PASSWORD);
  expect(compared.slice(0, strangers + 2).filter(password => password === wrong)).toHaveLength(strangers);
  expect(compared.indexOf(PASSWORD, atGate + 1)).toBeGreaterThanOrEqual(strangers);
});
