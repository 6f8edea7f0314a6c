import { dirname, join } from 'node:path';
import { PROBE } from '@fixpoint/contract/agent.ts';
import { buyAsVisitor, until } from '@fixpoint/testkit/buyer.ts';
import { createClient } from '@fixpoint/testkit/client.ts';
import { type FakeHost, startFakeHost } from '@fixpoint/testkit/fake-host.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openMasterKey } from '../../src/adapters/master-key/ring.ts';
import { liveBus } from '../../src/adapters/postgres-bus.ts';
import { createVaultSigner } from '../../src/adapters/vault-signer.ts';
import { addHost, readHostSettings } from '../../src/modules/provisioning/index.ts';
import { shopCommand } from '../helpers/shop-command.ts';

/** Delivery checks from the purchase to the alert of an operator. */
let shop: TestShop;
let other: FakeHost;
const OTHER = /^198\.51\.100\./;

beforeAll(async () => {
  shop = await startTestShop({}, undefined, undefined, ['jobs']);
  const keyFile = join(dirname(shop.agentSocket), 'master.key');
  const signer = createVaultSigner((await openMasterKey(shop.db, keyFile)).vault);
  const { token } = await addHost(
    { db: shop.db, signer, clock: shop.clock, live: liveBus },
    { providerId: 'demo', regionId: 'th-bkk', vendorId: 'fixpoint' },
    'bkk-2',
    readHostSettings('bkk-2', { pool: '198.51.100.0/28' }),
  );
  other = await startFakeHost({ socketPath: shop.agentSocket }, token);
});
afterAll(async () => {
  await other?.stop();
  await shop?.stop();
});

const alerts = async () => (await shopCommand(shop, 'alerts')).stdout;
const probesOn = (host: FakeHost) => host.set()?.subscriptions.flatMap(s => s.probe ?? []) ?? [];
/** Buys a subscription. @returns it as the page of the order shows it, once it exists */
async function bought(email: string) {
  const { metadata } = await buyAsVisitor(shop, email);
  const visitor = createClient(shop.url);
  return () =>
    until(
      async () => (await visitor.order.purchaseData({ body: { metadata } })).data?.subscription,
      'a subscription',
    );
}

test('a subscription starts when its delivery check succeeds, and no day of it before', async () => {
  shop.host.failChecks(undefined);
  other.failChecks(undefined);
  const mine = await bought('patient@example.com');
  const [probe] = await until(async () => {
    const found = [...probesOn(shop.host), ...probesOn(other)];
    return found.length > 0 && found;
  }, 'a probe');
  const { id, status, tested } = await mine();
  expect(probe).toMatchObject({ id: `${PROBE}${id}`, address: 32 });
  expect({ status, tested }).toEqual({ status: 'provisioning', tested: undefined });

  shop.clock.advance(30_000);
  shop.host.failChecks([]);
  other.failChecks([]);
  await Promise.all([shop.host.report(), other.report()]);
  await expect.poll(mine).toMatchObject({ status: 'active', tested: true });
  const begun = await shop.db.selectFrom('subscription').select('started_at').executeTakeFirstOrThrow();
  expect(begun.started_at).toEqual(shop.clock.now());
  // The temporary key of the probe is removed, and was never one of the customer's.
  await expect.poll(() => [...probesOn(shop.host), ...probesOn(other)]).toEqual([]);
  expect(await shop.db.selectFrom('certificate').select('serial').execute()).toEqual([]);
  expect(await alerts()).toBe('No alert is open.\n');
});

test('a subscription that fails its check is delivered by another host with another address, and raises an alert', async () => {
  // Whichever address the next subscription would get.
  shop.host.failChecks(['dns', 'address']);
  other.failChecks(undefined);
  const all = [await bought('second@example.com'), await bought('third@example.com')];
  await expect.poll(alerts).toContain('bkk-1');
  other.failChecks([]);
  await other.report();
  for (const mine of all)
    await expect
      .poll(mine)
      .toMatchObject({ status: 'active', tested: true, address: expect.stringMatching(OTHER) });
  expect(await alerts()).toMatch(/address, dns/);
  await expect.poll(() => probesOn(shop.host)).toEqual([]);
});

test('FV25 a new subscription whose host uses its address gets another one soon', async () => {
  for (const host of [shop.host, other]) host.failChecks(undefined);
  const mine = await bought('neighbour@example.com');
  const [host, { bindAddress }] = await until(async () => {
    for (const host of [shop.host, other]) {
      const [given] = host.set()?.subscriptions.filter(s => s.probe) ?? [];
      if (given) return [host, given] as const;
    }
    return undefined;
  }, 'an offered place');
  host.setOwnAddresses([bindAddress]);
  await host.report();
  for (const each of [shop.host, other]) each.failChecks([]);
  await expect
    .poll(mine)
    .toMatchObject({ status: 'active', tested: true, address: expect.not.stringMatching(bindAddress) });
  host.setOwnAddresses([]);
  await host.report();
});

test('a buyer is served, notified and not moved back and forth where no host passes its check', async () => {
  shop.host.failChecks(['dns']);
  other.failChecks(['tunnel']);
  const mine = await bought('unlucky@example.com');
  await expect.poll(mine).toMatchObject({ status: 'active', tested: false });
  const { address } = await mine();
  shop.clock.advance(60_000);
  await Promise.all([shop.host.report(), other.report()]);
  await shop.sweep();
  expect(await mine()).toMatchObject({ address, tested: false });
  const found = await alerts();
  expect(found).toContain('bkk-1');
  expect(found).toContain('bkk-2');
});

test('the alert of a host is resolved when a check succeeds there', async () => {
  shop.host.failChecks([]);
  other.failChecks([]);
  const mine = await bought('lucky@example.com');
  await expect.poll(mine).toMatchObject({ status: 'active', tested: true });
  const where = OTHER.test((await mine()).address!) ? 'bkk-2' : 'bkk-1';
  expect(await alerts()).not.toContain(where);
});

test('a host that cannot check serves unchecked and raises an alert', async () => {
  shop.host.failChecks(['probe']);
  other.failChecks(['probe']);
  const mine = await bought('unchecked@example.com');
  await expect.poll(mine).toMatchObject({ status: 'active' });
  expect(await mine()).not.toHaveProperty('tested');
  expect(await alerts()).toMatch(/cannot run delivery checks/);
});
