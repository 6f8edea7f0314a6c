import { PASSWORD } from '@fixpoint/testkit/buyer.ts';
import type { TestShop } from '@fixpoint/testkit/shop.ts';
import { proveHuman, signUp } from '../helpers/people.ts';

export const HOUR_MS = 60 * 60_000;
export const WRONG = 'Wrong!2345x';
/** What one who waits is told. */
export const waits = { status: 429, code: '9905' };

type Try = { password?: string; from?: string; cookie?: string; proof?: boolean };

/** Log-ins at a shop from chosen networks and browsers. */
export function logInsAt(shop: TestShop) {
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
  return {
    login,
    /** Creates a customer. @returns them and the device cookie of their browser */
    async customer(email: string) {
      await signUp(shop, email);
      return { email, cookie: cookieOf(await login(email)) };
    },
  };
}

export const cookieOf = ({ headers }: { headers: Headers }): string =>
  headers
    .getSetCookie()
    .find(cookie => cookie.startsWith('device='))!
    .split(';')[0]!;
