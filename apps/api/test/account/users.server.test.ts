import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eraseCustomer } from '../../src/modules/account/erase-accounts.ts';

let shop: TestShop;
beforeAll(async () => {
  shop = await startTestShop();
});
afterAll(() => shop?.stop());

const LOG_IN = ['email', 'language', 'password_hash', 'status', 'created_at'] as const;
const rowsOf = async (email: string) => {
  const customer = await shop.db
    .selectFrom('customer')
    .select(['id', ...LOG_IN])
    .where('email', '=', email)
    .executeTakeFirstOrThrow();
  return {
    customer,
    user: await shop.db
      .selectFrom('app_user')
      .select(['id', ...LOG_IN])
      .where('id', '=', customer.id)
      .executeTakeFirst(),
    memberships: await shop.db
      .selectFrom('membership')
      .select(['user_id', 'role', 'since'])
      .where('customer_id', '=', customer.id)
      .execute(),
    sessions: await shop.db
      .selectFrom('session')
      .select(['user_id', 'role'])
      .where('customer_id', '=', customer.id)
      .execute(),
  };
};

test('a buyer becomes the user who owns their account, and what they change of their login holds for both', async () => {
  const { client, email } = await shop.customer('founder');
  await client.account.setLanguage({ body: { language: 'th' } });
  const { customer, user, memberships, sessions } = await rowsOf(email);
  expect(customer).toMatchObject({ language: 'th', password_hash: expect.stringContaining('argon2id') });
  expect(user).toEqual(customer);
  expect(memberships).toEqual([{ user_id: customer.id, role: 'owner', since: customer.created_at }]);
  expect(sessions.length).toBeGreaterThan(0);
  for (const session of sessions) expect(session).toEqual({ user_id: customer.id, role: 'owner' });
});

test('a session that a version without users has begun goes on as the owner’s', async () => {
  const { client, email } = await shop.customer('before');
  const { id } = (await rowsOf(email)).customer;
  await shop.db
    .updateTable('session')
    .set({ user_id: null, role: null })
    .where('customer_id', '=', id)
    .execute();
  expect(await client.billing.myBilling()).toMatchObject({ code: '0000' });
});

test('SP20 a user and their account have names, which are exported and erased with the account', async () => {
  const { client, email } = await shop.customer('named');
  expect(await client.account.setName({ body: { name: ' อันนา ' } })).toMatchObject({ code: '0000' });
  await client.account.setAccountName({ body: { name: 'Anna & Co' } });
  expect((await client.auth.profile()).data).toMatchObject({ name: 'อันนา', accountName: 'Anna & Co' });
  expect((await client.account.exportData()).data!.account).toMatchObject({
    name: 'อันนา',
    accountName: 'Anna & Co',
  });
  for (const name of ['4242 4242 4242 4242', 'a'.repeat(61)])
    expect(await client.account.setName({ body: { name } })).toMatchObject({ code: '7004' });
  await client.account.setAccountName({ body: { name: null } });
  expect((await client.auth.profile()).data!.accountName).toBeUndefined();

  const { id } = (await rowsOf(email)).customer;
  await shop.db.updateTable('customer').set({ status: 'deleted' }).where('id', '=', id).execute();
  await eraseCustomer(shop.db, [], id);
  const erased = shop.db.selectFrom('app_user').select('name').where('id', '=', id);
  expect(await erased.executeTakeFirst()).toEqual({ name: null });
});
