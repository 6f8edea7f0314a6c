import { PASSWORD } from '@fixpoint/testkit/buyer.ts';
import { createClient } from '@fixpoint/testkit/client.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { watchSlowness } from '@fixpoint/testkit/slowness.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codeIn, connect, signUp } from '../helpers/people.ts';

let shop: TestShop;
beforeAll(async () => {
  shop = await startTestShop();
});
afterAll(() => shop?.stop());

const login = (email: string) => shop.client.auth.login({ body: { email, password: PASSWORD } });

describe('S11 S22 within a second nothing is left of a session that', () => {
  const NEXT = 'kR7vQm2x!tulip';
  type Someone = Awaited<ReturnType<typeof signUp>>;
  const reset = async ({ email }: Someone) => {
    const { flow } = (await shop.client.auth.requestResetPassword({ body: { email } })).data!;
    const code = await codeIn(shop, email, /set a new password/);
    const { grant } = (await shop.client.auth.verifyResetPassword({ body: { flow, code } })).data!;
    return shop.client.auth.resetPassword({ body: { grant, password: NEXT } });
  };
  const change = async ({ client, email }: Someone) => {
    const { flow } = (await client.auth.changePasswordOtp()).data!;
    const code = await codeIn(shop, email, /to change your password/);
    const { grant } = (await client.auth.verifyChangePassword({ body: { flow, code } })).data!;
    return client.auth.changePassword({ body: { grant, currentPassword: PASSWORD, password: NEXT } });
  };
  const end =
    (action: 'disable' | 'delete') =>
    async ({ client }: Someone) => {
      const answer = await client.auth.deleteAccount({ body: { action, currentPassword: PASSWORD } });
      expect(answer.headers.get('clear-site-data')).toBe('"cache", "cookies", "storage"');
      return answer;
    };
  test.each([
    ['a reset ended', 'both', reset],
    ['a change of password ended', 'both', change],
    ['disabling ended', 'both', end('disable')],
    ['deleting ended', 'both', end('delete')],
    [
      'logging out ended',
      'own',
      async ({ client }: Someone) => {
        const answer = await client.auth.logout();
        expect(answer.headers.get('clear-site-data')).toBe('"cache"');
        expect(answer.headers.get('cache-control')).toBe('no-store');
        return answer;
      },
    ],
  ] as const)('%s', async (name, which, act) => {
    const own = await signUp(shop, `${name.replaceAll(' ', '-')}@example.com`);
    const { token, data } = await login(own.email);
    const sockets = await Promise.all([own.token, token!].map(each => connect(shop.url, each)));
    expect((await act(own)).code).toBe('0000');
    const [since, allowed] = [performance.now(), watchSlowness()];
    expect((await own.client.auth.profile()).status).toBe(401);
    await expect.poll(() => sockets[0]!.connected, { interval: 20 }).toBe(false);
    expect(performance.now() - since).toBeLessThan(allowed(1_000));
    const other = createClient(shop.url, token);
    if (which === 'own') {
      expect((await other.auth.profile()).code).toBe('0000');
      expect(sockets[1]!.connected).toBe(true);
    } else {
      expect((await other.auth.profile()).status).toBe(401);
      await expect.poll(() => sockets[1]!.connected, { interval: 20 }).toBe(false);
      expect(performance.now() - since).toBeLessThan(allowed(2_000));
      const { refreshToken } = data!;
      expect((await shop.client.auth.refresh({ body: { refreshToken } })).code).toBe('401');
    }
    for (const socket of sockets) socket.close();
  });
});
