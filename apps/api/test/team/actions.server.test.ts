import { PASSWORD } from '@fixpoint/testkit/buyer.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { personal } from '../../src/compose/personal.ts';
import { eraseCustomer } from '../../src/modules/account/erase-accounts.ts';
import { verifyChain } from '../../src/modules/audit/index.ts';
import { newColleague } from './people.ts';

let shop: TestShop;
beforeAll(async () => {
  shop = await startTestShop();
});
afterAll(() => shop?.stop());

test('an owner sees who did what, others and buyers do not, and what was refused is not in it', async () => {
  const [owner, stranger] = [await shop.customer('owner'), await shop.customer('stranger')];
  await owner.client.account.setAccountName({ body: { name: 'Anna & Co' } });
  const buyer = await newColleague(shop, owner.client, 'ben@example.com', 'buyer');
  await buyer.client.account.setName({ body: { name: 'Ben' } });
  const { subscriptionId } = owner;
  for (const name of ['phone', 'phone'])
    await buyer.client.subscription.addKey({ body: { subscriptionId, name } });
  await owner.client.team.setRole({ body: { userId: buyer.userId, role: 'owner' } });

  const { data } = await owner.client.team.actions();
  expect(data!.actions.map(({ at: _, ...action }) => action)).toEqual([
    { by: owner.email, action: 'setRole', about: 'ben@example.com' },
    { by: 'Ben', action: 'addKey', about: 'phone' },
    { by: 'Ben', action: 'joinTeam' },
    { by: owner.email, action: 'invite', about: 'ben@example.com' },
    { by: owner.email, action: 'setAccountName', about: 'Anna & Co' },
  ]);
  expect((await stranger.client.team.actions()).data).toEqual({ actions: [] });
  await owner.client.team.setRole({ body: { userId: buyer.userId, role: 'buyer' } });
  expect(await buyer.client.team.actions()).toMatchObject({ status: 403, code: '8002' });
  // What staff did is another list.
  expect((await owner.client.account.exportData()).data!.staffActions).toEqual([]);
  expect(await verifyChain(shop.db)).toMatchObject({ entries: 6 });
  expect((await verifyChain(shop.db)).fault).toBeUndefined();
});

test('it names the subscription, and says who joined, was invited again and closed their login', async () => {
  const { client, subscriptionId, email } = await shop.customer('firm');
  const subscription = { id: subscriptionId };
  const { address } = (await client.subscription.getSubscription({ query: subscription })).data!;
  await client.subscription.adjustBw({ body: { ...subscription, keys: [] } });
  await client.subscription.renameSubscription({ body: { ...subscription, label: 'Office' } });
  const { id } = (await client.team.invite({ body: { email: 'cara@example.com', role: 'buyer' } })).data!;
  await client.team.resendInvitation({ body: { id } });
  const ended = { action: 'delete', currentPassword: PASSWORD } as const;
  const dan = await newColleague(shop, client, 'dan@example.com', 'buyer');
  await dan.client.auth.deleteAccount({ body: ended });
  const { actions } = (await client.team.actions()).data!;
  expect(actions.map(({ at: _, ...action }) => action)).toEqual([
    { by: 'dan@example.com', action: 'deleteAccount' },
    { by: 'dan@example.com', action: 'joinTeam' },
    { by: email, action: 'invite', about: 'dan@example.com' },
    { by: email, action: 'resendInvitation', about: 'cara@example.com' },
    { by: email, action: 'invite', about: 'cara@example.com' },
    { by: email, action: 'adjustBw', about: 'Office' },
  ]);
  await client.subscription.renameSubscription({ body: { ...subscription, label: null } });
  expect((await client.team.actions()).data!.actions.at(-1)).toMatchObject({ about: address });
});

test('whoever is erased has no name in what was done, and their address is in it no more', async () => {
  const owner = await shop.customer('employer');
  const gone = await newColleague(shop, owner.client, 'gone@example.com', 'buyer');
  await newColleague(shop, owner.client, 'stays@example.com', 'buyer');
  const key = { subscriptionId: owner.subscriptionId, name: 'phone' };
  await gone.client.subscription.addKey({ body: key });
  await owner.client.team.setRole({ body: { userId: gone.userId, role: 'owner' } });
  const body = { action: 'delete' as const, currentPassword: PASSWORD };
  expect((await gone.client.auth.deleteAccount({ body })).code).toBe('0000');
  await eraseCustomer(shop.db, personal, gone.userId);
  const { actions } = (await owner.client.team.actions()).data!;
  expect(actions.map(({ at: _, ...action }) => action)).toEqual([
    { action: 'deleteAccount' },
    { by: owner.email, action: 'setRole' },
    { action: 'addKey', about: 'phone' },
    { by: 'stays@example.com', action: 'joinTeam' },
    { by: owner.email, action: 'invite', about: 'stays@example.com' },
    { action: 'joinTeam' },
  ]);
  const chain = await verifyChain(shop.db);
  expect(chain).toMatchObject({ erased: 1 });
  expect(chain).not.toHaveProperty('fault');
});
