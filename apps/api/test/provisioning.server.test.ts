import { X509Certificate } from 'node:crypto';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

const DAY_MS = 86_400_000;
let shop: TestShop;
beforeAll(async () => {
  shop = await startTestShop();
});
afterAll(() => shop?.stop());

test('a server certificate is renewed long before it ends, under the same authority and name', async () => {
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
