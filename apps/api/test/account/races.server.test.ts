import { beginOrder, cardPaymentOf, confirmCard, emailTo, PASSWORD, until } from '@fixpoint/testkit/buyer.ts';
import { createClient, type TestClient } from '@fixpoint/testkit/client.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { codeIn, proveHuman, signUp } from '../helpers/people.ts';
import { whileLocked } from '../helpers/while-locked.ts';

/** Concurrent calls, each released at its most harmful moment. */
const NEXT = 'kR7vQm2x!tulip';
let shop: TestShop;
beforeAll(async () => {
  shop = await startTestShop();
});
afterAll(() => shop?.stop());
// Resets the limits, so that each test has its own.
beforeEach(() => shop.clock.advance(25 * 60 * 60_000));

const login = (email: string, password = PASSWORD) => shop.client.auth.login({ body: { email, password } });

async function resetGrant(email: string): Promise<string> {
  const { flow } = (await shop.client.auth.requestResetPassword({ body: { email } })).data!;
  const code = await codeIn(shop, email, /set a new password/);
  return (await shop.client.auth.verifyResetPassword({ body: { flow, code } })).data!.grant;
}

async function changeGrant(client: TestClient, email: string): Promise<string> {
  const { flow } = (await client.auth.changePasswordOtp()).data!;
  const code = await codeIn(shop, email, /to change your password/);
  return (await client.auth.verifyChangePassword({ body: { flow, code } })).data!.grant;
}

describe('S11 no session outlives what ends all sessions', () => {
  test('a login with the old password that is under way while the new one is set', async () => {
    const { email } = await signUp(shop, 'thief-inside@example.com');
    const grant = await resetGrant(email);
    const late = await whileLocked(
      shop,
      'lock table totp in access exclusive mode',
      () => login(email),
      async () => {
        const set = await shop.client.auth.resetPassword({ body: { grant, password: NEXT } });
        expect(set.code).toBe('0000');
      },
    );
    expect(late).toMatchObject({ status: 400, code: '8005' });
    expect((await login(email, NEXT)).code).toBe('0000');
  });

  test('a login that is under way while the account ends', async () => {
    const { client, email } = await signUp(shop, 'ending@example.com');
    const late = await whileLocked(
      shop,
      'lock table totp in access exclusive mode',
      () => login(email),
      // `deleteAccount` checks second factors too, so the same hook releases it.
      () => shop.db.updateTable('customer').set({ status: 'disabled' }).where('email', '=', email).execute(),
    );
    expect(late).toMatchObject({ status: 400, code: '8005' });
    expect((await client.auth.profile()).status).toBe(401);
  });
});

describe('S10 a grant for a password is used once', () => {
  test('two concurrent grants: one sets it, and neither call fails', async () => {
    const { client, email } = await signUp(shop, 'two-grants@example.com');
    const [change, reset] = [await changeGrant(client, email), await resetGrant(email)];
    const sets = () =>
      Promise.all([
        client.auth.changePassword({ body: { grant: change, currentPassword: PASSWORD, password: NEXT } }),
        shop.client.auth.resetPassword({ body: { grant: reset, password: 'aZ9!mellow?trout' } }),
      ]);
    const owner = `select from customer where email = '${email}' for update`;
    const answers = await whileLocked(shop, owner, sets, undefined, 2);
    expect(answers.map(({ code }) => code).sort()).toEqual(['0000', '8003']);
  });

  test('one grant used twenty times at once', async () => {
    const { email } = await signUp(shop, 'one-grant@example.com');
    const grant = await resetGrant(email);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => shop.client.auth.resetPassword({ body: { grant, password: NEXT } })),
    );
    expect(answers.filter(({ code }) => code === '0000')).toHaveLength(1);
    expect(answers.filter(({ code }) => code === '8003')).toHaveLength(19);
  });

  test('an earlier grant ends with the account', async () => {
    const { client, email } = await signUp(shop, 'grant-left@example.com');
    const grant = await resetGrant(email);
    await client.auth.deleteAccount({ body: { action: 'disable', currentPassword: PASSWORD } });
    const set = await shop.client.auth.resetPassword({ body: { grant, password: NEXT } });
    expect(set).toMatchObject({ status: 400, code: '8003' });
  });
});

describe('an account that ends while its customer buys', () => {
  const end = (client: TestClient, action: 'disable' | 'delete' = 'delete') =>
    client.auth.deleteAccount({ body: { action, currentPassword: PASSWORD } });

  test('a later payment is refunded, and nothing is delivered', async () => {
    const { client } = await signUp(shop, 'pays-late@example.com');
    const { consent, metadata } = await beginOrder(client);
    const { data } = await client.order.purchaseLogin({ body: consent });
    expect((await end(client)).code).toBe('0000');
    // Card fields are open in another tab.
    expect((await confirmCard(shop, cardPaymentOf(data))).status).toBe(200);
    await shop.client.order.confirmPurchase({ body: { metadata } });
    const refund = await until(async () => {
      const row = await shop.db
        .selectFrom('refund')
        .innerJoin('attempt', 'attempt.id', 'refund.attempt_id')
        .innerJoin('invoice', 'invoice.id', 'attempt.invoice_id')
        .select(['refund.amount', 'refund.status', 'invoice.total', 'invoice.number'])
        .executeTakeFirst();
      return row?.status === 'succeeded' && row;
    }, 'the refund');
    expect(refund).toMatchObject({ amount: consent.price.price, total: consent.price.price, number: null });
    await shop.sweep();
    const state = (await shop.client.order.purchaseData({ body: { metadata } })).data!;
    expect(state.status).toBe('expired');
    expect(state.subscription).toBeUndefined();
  });

  test('open attempts are closed at the provider by the next scheduled tasks', async () => {
    const { client } = await signUp(shop, 'never-pays@example.com');
    const { consent, metadata } = await beginOrder(client);
    const { data } = await client.order.purchaseLogin({ body: consent });
    await end(client);
    await shop.sweep();
    expect((await confirmCard(shop, cardPaymentOf(data))).status).toBe(400);
    expect((await shop.client.order.purchaseData({ body: { metadata } })).data!.status).toBe('expired');
  });

  test('a concurrent order is refused', async () => {
    const { client, email } = await signUp(shop, 'orders-late@example.com');
    const { consent } = await beginOrder(client);
    const late = await whileLocked(
      shop,
      'lock table shop_order in access exclusive mode',
      () => client.order.purchaseLogin({ body: consent }),
      () => shop.db.updateTable('customer').set({ status: 'deleted' }).where('email', '=', email).execute(),
    );
    expect(late).toMatchObject({ status: 401, code: '8001' });
  });

  test('is refused while something is paid and not delivered', async () => {
    const { client, email } = await signUp(shop, 'has-paid@example.com');
    const { consent } = await beginOrder(client);
    await client.order.purchaseLogin({ body: consent });
    const paid = (status: 'paid' | 'awaitingPayment') =>
      shop.db
        .updateTable('shop_order')
        .set({ status, paid_at: shop.clock.now() })
        .where('email', '=', email)
        .execute();
    await paid('paid');
    expect(await end(client)).toMatchObject({ status: 400, code: '8007' });
    expect((await client.auth.profile()).code).toBe('0000');
    await paid('awaitingPayment');
    expect((await end(client)).code).toBe('0000');
  });

  test('frees the address for a new account by purchase or sign-up', async () => {
    const email = 'comes-back@example.com';
    const first = await signUp(shop, email);
    expect((await end(first.client, 'disable')).code).toBe('0000');
    const { consent, metadata } = await beginOrder(shop.client);
    const bought = await shop.client.order.purchase({ body: { ...consent, email, language: 'en' } });
    await confirmCard(shop, cardPaymentOf(bought.data));
    await shop.client.order.confirmPurchase({ body: { metadata } });
    const message = await emailTo(shop, email, /reset-password\?token=/);
    const token = /token=([\w-]+)/.exec(message.Text)![1]!;
    const authorization = `Bearer ${token}`;
    await shop.client.auth.setPassword({ body: { password: NEXT } }, { authorization });
    expect((await login(email)).code).toBe('8005');
    const second = createClient(shop.url, (await login(email, NEXT)).token!);
    expect((await second.billing.myBilling({ query: {} })).data!.items).toHaveLength(1);
    const customers = shop.db.selectFrom('customer').select('status').where('email', '=', email);
    expect((await customers.orderBy('status').execute()).map(({ status }) => status)).toEqual([
      'active',
      'disabled',
    ]);

    const again = await signUp(shop, 'again@example.com');
    await end(again.client, 'disable');
    shop.clock.advance(60_000);
    const termsVersion = consent.termsVersion;
    const body = { email: again.email, password: NEXT, termsVersion, language: 'en' as const };
    const humanCheck = await proveHuman(shop);
    expect((await shop.client.customer.register({ body: { ...body, humanCheck } })).code).toBe('0000');
  });
});

test('S04 two concurrent sign-ups with one address: one email, one account', async () => {
  const email = 'twins@example.com';
  const termsVersion = (await shop.client.text.getTerm()).data!.version;
  const register = async () => {
    const body = { email, password: PASSWORD, termsVersion, language: 'en' as const };
    return shop.client.customer.register({ body: { ...body, humanCheck: await proveHuman(shop) } });
  };
  const answers = await Promise.all([register(), register(), register()]);
  expect(answers.map(({ code }) => code).sort()).toEqual(['0000', '7005', '7005']);
  const { flow } = answers.find(({ code }) => code === '0000')!.data!;
  const code = await codeIn(shop, email, /finish signing up/);
  const verified = await Promise.all(
    Array.from({ length: 4 }, () => shop.client.customer.verifyUser({ body: { flow, code } })),
  );
  expect(verified.map(answer => answer.code).sort()).toEqual(['0000', '7007', '7007', '7007']);
});
