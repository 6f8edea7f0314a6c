import { PASSWORD } from '@fixpoint/testkit/buyer.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AccountDeps } from '../../src/modules/account/account.ts';
import { deviceCookieFor } from '../../src/modules/account/device-cookie.ts';
import { logIn } from '../../src/modules/account/log-in.ts';
import { signUp } from '../helpers/people.ts';

let shop: TestShop;
beforeAll(async () => {
  shop = await startTestShop();
});
afterAll(() => shop?.stop());

/** A comparison has begun: the queue has let the login through. */
class Compared extends Error {}

test('FS5 in a rush of logins a stranger needs a proof of work, and a known browser is served first', async () => {
  const { email } = await signUp(shop, 'owner@example.com');
  const owner = await shop.db
    .selectFrom('customer')
    .selectAll()
    .where('email', '=', email)
    .executeTakeFirstOrThrow();
  /** With a queue of stated length: a real one is as long as the machine is slow. */
  const behind = (strangers: number) =>
    ({
      db: shop.db,
      clock: shop.clock,
      deviceSeal: () => Buffer.alloc(32),
      limits: { claimTry: async () => 'taken' },
      passwords: {
        strangers: () => strangers,
        verify: (_hash, _password, asked) => Promise.reject(new Compared(`stranger: ${asked?.stranger}`)),
      } satisfies Partial<AccountDeps['passwords']>,
    }) as unknown as AccountDeps;
  const login = (strangers: number, by: { work?: number; deviceCookie?: string } = {}) =>
    logIn(behind(strangers), { email, password: PASSWORD }, { work: 0, network: 'n', userAgent: '', ...by });

  const deviceCookie = deviceCookieFor(behind(0), owner);
  expect(await login(30)).toMatchObject({ data: { humanCheck: true } });
  await expect(login(30, { work: 1 })).rejects.toThrow('stranger: true');
  expect(await login(300, { work: 1 })).toMatchObject({ refusal: 'tooManyRequests', retryAfterSeconds: 5 });
  await expect(login(300, { deviceCookie })).rejects.toThrow('stranger: false');
});
