import { X509Certificate } from 'node:crypto';
import { PASSWORD } from '@fixpoint/testkit/buyer.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

const DAY_MS = 86_400_000;
let shop: TestShop;
beforeAll(async () => {
  shop = await startTestShop();
});
afterAll(() => shop?.stop());

test('a server certificate is renewed long before its end, under the same authority and name', async () => {
  const { subscriptionId } = await shop.customer('longtime');
  const mine = () => shop.host.set()!.subscriptions.find(({ id }) => id === subscriptionId)!;
  const before = mine();
  await shop.sweep();
  expect(mine().serverCertificate).toBe(before.serverCertificate);

  shop.clock.advance(340 * DAY_MS);
  await shop.sweep();
  await expect.poll(() => mine().serverCertificate).not.toBe(before.serverCertificate);
  const [old, renewed] = [
    new X509Certificate(before.serverCertificate),
    new X509Certificate(mine().serverCertificate),
  ];
  expect(renewed.validToDate.getTime() - shop.clock.now().getTime()).toBeGreaterThan(390 * DAY_MS);
  expect(renewed.subject).toBe(old.subject);
  expect(mine().ca).toBe(before.ca);
  expect(renewed.verify(new X509Certificate(before.ca).publicKey)).toBe(true);
  expect(mine().tlsCrypt).toBe(before.tlsCrypt);
});

test('the address of a deleted account cools down for a week before it is sold again', async () => {
  const leaver = await shop.customer('leaver');
  // Only the released address could be sold.
  await shop.db.deleteFrom('static_ip').where('subscription_id', 'is', null).execute();
  await shop.db
    .updateTable('subscription')
    .set({ cancel_at_period_end: true })
    .where('id', '=', leaver.subscriptionId)
    .execute();
  const left = await leaver.client.auth.deleteAccount({
    body: { action: 'delete', currentPassword: PASSWORD },
  });
  expect(left.code).toBe('0000');
  const runs = () => shop.host.set()!.subscriptions.some(({ id }) => id === leaver.subscriptionId);
  await expect.poll(runs).toBe(false);

  const waits = async () => {
    await shop.sweep();
    const places = await shop.client.order.getVendor({ query: {} });
    return places.data!.offers.find(({ regionId }) => regionId === 'th-bkk')!.waits;
  };
  expect(await waits()).toBe(true);
  shop.clock.advance(7 * DAY_MS - 60_000);
  expect(await waits()).toBe(true);
  shop.clock.advance(60_000);
  expect(await waits()).toBe(false);
  await shop.customer('next');
});
