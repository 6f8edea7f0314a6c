import { PASSWORD } from '@fixpoint/testkit/buyer.ts';
import { createClient } from '@fixpoint/testkit/client.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { codeIn } from '../helpers/people.ts';
import { acceptAsNew, bearer, invitationTo, newColleague } from './people.ts';

/** What somebody tries who works for a customer, or did. Invitations and roles alone are tried in `team` and `matrix`. */
let shop: TestShop;
let owner: Awaited<ReturnType<TestShop['customer']>>;
let ownerId: string;
let count = 0;
beforeAll(async () => {
  shop = await startTestShop();
});
afterAll(() => shop?.stop());
beforeEach(async () => {
  owner = await shop.customer(`attacked-${++count}`, 'plus');
  ownerId = (await owner.client.auth.profile()).data!.id;
});
const colleague = (role: 'buyer' | 'owner') =>
  newColleague(shop, owner.client, `attacker-${++count}@example.com`, role);
const logInWithRefresh = async (email: string) => {
  const body = { email, password: PASSWORD, refreshIn: 'body' as const };
  const { data, token } = await shop.client.auth.login({ body });
  const { refreshToken } = data as { refreshToken: string };
  return { client: createClient(shop.url, token), refresh: () => refreshWith(refreshToken) };
};
const refreshWith = (refreshToken: string) => shop.client.auth.refresh({ body: { refreshToken } });

test('S36 the stored answer of a colleague is not given out', async () => {
  const buyer = await colleague('buyer');
  const body = { subscriptionId: owner.subscriptionId, name: 'tablet' };
  const key = { 'idempotency-key': 'shared' };
  expect((await owner.client.subscription.addKey({ body }, key)).code).toBe('0000');
  const theirs = await buyer.client.subscription.addKey({ body }, key);
  expect(theirs).toMatchObject({ code: '4001' });
});

test('whoever is removed keeps neither tokens, nor the link to a device, nor a stored answer', async () => {
  const buyer = await colleague('buyer');
  const open = await logInWithRefresh(buyer.email);
  const add = { body: { subscriptionId: owner.subscriptionId, name: 'phone' } };
  const key = { 'idempotency-key': 'again' };
  const keyId = (await open.client.subscription.addKey(add, key)).data!.id;
  const { data } = await open.client.subscription.linkKey({
    body: { subscriptionId: owner.subscriptionId, keyId },
  });
  expect((await owner.client.team.remove({ body: { userId: buyer.userId } })).code).toBe('0000');
  expect((await open.client.subscription.addKey(add, key)).code).toBe('8001');
  expect((await open.refresh()).code).toBe('401');
  expect((await shop.client.subscription.fetchKey({}, bearer(data!.token))).code).toBe('8003');
  const { client } = await logInWithRefresh(buyer.email);
  expect((await client.subscription.addKey(add, key)).code).not.toBe('0000');
  expect((await client.team.switchCustomer({ body: { customerId: ownerId } })).code).toBe('6001');
});

test('whoever switched has nothing of the previous session', async () => {
  const guest = await shop.customer(`attacking-guest-${count}`);
  const guestId = (await guest.client.auth.profile()).data!.id;
  await owner.client.team.invite({ body: { email: guest.email, role: 'owner' } });
  await guest.client.team.joinTeam({ body: { invitation: await invitationTo(shop, guest.email) } });
  const before = await logInWithRefresh(guest.email);
  expect((await before.client.auth.profile()).data).toMatchObject({ customerId: ownerId });
  const switched = await before.client.team.switchCustomer({ body: { customerId: guestId } });
  expect((await before.refresh()).code).toBe('401');
  expect((await before.client.team.people()).code).toBe('8001');
  const { people } = (await createClient(shop.url, switched.token).team.people()).data!;
  expect(people.map(({ userId }) => userId)).toEqual([guestId]);
});

test.each(['remove', 'setRole'] as const)('an owner’s open invitations end with %s', async how => {
  const second = await colleague('owner');
  const email = `back-door-${count}@example.com`;
  expect((await second.client.team.invite({ body: { email, role: 'owner' } })).code).toBe('0000');
  const token = await invitationTo(shop, email);
  const { userId } = second;
  if (how === 'remove') await owner.client.team.remove({ body: { userId } });
  else await owner.client.team.setRole({ body: { userId, role: 'buyer' } });
  expect((await acceptAsNew(shop, token)).code).toBe('8003');
  expect((await owner.client.team.people()).data!.invitations).toEqual([]);
});

test('a demoted owner’s refreshed session is that of a buyer', async () => {
  const second = await colleague('owner');
  const open = await logInWithRefresh(second.email);
  await owner.client.team.setRole({ body: { userId: second.userId, role: 'buyer' } });
  const { accessToken } = (await open.refresh()).data!;
  const after = createClient(shop.url, accessToken);
  expect((await after.auth.profile()).data).toMatchObject({ role: 'buyer' });
  const body = { email: `own-${count}@example.com`, role: 'owner' as const };
  expect((await after.team.invite({ body })).code).toBe('8002');
});

test('sessions, codes and links from before give a founder who was removed nothing', async () => {
  const second = await colleague('owner');
  const old = await logInWithRefresh(owner.email);
  const { flow } = (await shop.client.auth.requestResetPassword({ body: { email: owner.email } })).data!;
  const code = await codeIn(shop, owner.email, /set a new password/);
  const granted = (await shop.client.auth.verifyResetPassword({ body: { flow, code } })).data!;
  const { subscriptionId } = owner;
  const linked = (await owner.client.subscription.addKey({ body: { subscriptionId, name: 'linked' } })).data!;
  const link = await owner.client.subscription.linkKey({ body: { subscriptionId, keyId: linked.id } });
  expect((await second.client.team.remove({ body: { userId: ownerId } })).code).toBe('0000');
  const visitor = createClient(shop.url);
  const tried = [
    await old.client.auth.profile(),
    await old.refresh(),
    await visitor.auth.resetPassword({ body: { grant: granted.grant, password: `${PASSWORD}x` } }),
    await visitor.subscription.fetchKey({}, { authorization: `Bearer ${link.data!.token}` }),
    await (await logInWithRefresh(owner.email)).client.team.switchCustomer({ body: { customerId: ownerId } }),
  ];
  expect(tried.map(({ code: answer }) => answer)).toEqual(['8001', '401', '8003', '8003', '6001']);
  // The row of the customer takes no password, no address and no session.
  const row = shop.db.updateTable('customer').where('id', '=', ownerId);
  await expect(row.set({ password_hash: 'x' }).execute()).rejects.toThrow('customer_without_log_in');
  await expect(row.set({ email: owner.email.replace('@', '+2@') }).execute()).rejects.toThrow(
    'customer_without_log_in',
  );
  const session = shop.db.selectFrom('session').selectAll().where('user_id', '=', second.userId);
  const { id: _, ...theirs } = await session.executeTakeFirstOrThrow();
  await expect(
    shop.db
      .insertInto('session')
      .values({ ...theirs, id: 'ses_forged', user_id: ownerId, refresh_hash: Buffer.from('forged') })
      .execute(),
  ).rejects.toThrow('nobody logs in');
});
