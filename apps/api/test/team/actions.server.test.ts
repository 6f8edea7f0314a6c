import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
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
    { by: owner.email, action: 'invite', about: 'ben@example.com' },
    { by: owner.email, action: 'setAccountName', about: 'Anna & Co' },
  ]);
  expect((await stranger.client.team.actions()).data).toEqual({ actions: [] });
  await owner.client.team.setRole({ body: { userId: buyer.userId, role: 'buyer' } });
  expect(await buyer.client.team.actions()).toMatchObject({ status: 403, code: '8002' });
  // What staff did is another list.
  expect((await owner.client.account.exportData()).data!.staffActions).toEqual([]);
  expect(await verifyChain(shop.db)).toMatchObject({ entries: 5 });
  expect((await verifyChain(shop.db)).fault).toBeUndefined();
});
