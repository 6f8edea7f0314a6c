import { issueClient } from '@fixpoint/api/adapters/pki/leaf.ts';
import { newProbe } from '@fixpoint/api/modules/provisioning/probe.ts';
import type { Signer } from '@fixpoint/api/ports/signer.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openScene, type Scene } from './testing/scene.ts';
import { download, type Sold, sell } from './testing/subscriptions.ts';

/**
 * A host whose clock is days off. Its clock cannot be set alone, so the shop's certificates are dated by the same difference:
 * the host's openvpn compares the two.
 */
const phone = { id: 'k_phone1', address: 2 };
const DAY_MS = 86_400_000;
const shopTime = (hostDaysAhead: number) => new Date(Date.now() - hostDaysAhead * DAY_MS);
let scene: Scene;
let one: Sold;
beforeAll(async () => {
  scene = await openScene();
  one = await sell({ slot: 1, bindAddress: '203.0.113.11', keys: [phone] });
  scene.shop.want([one.desired]);
  await scene.settled();
});
afterAll(() => scene?.end());

it.each([2, 7])('V41 a host that is %i days fast passes its delivery check at once', async days => {
  const sold = await sell({ slot: 2, bindAddress: '203.0.113.12' });
  const signer = {
    newClient: (_: unknown, { keyId, now, notAfter }: Parameters<Signer['newClient']>[1]) =>
      issueClient({ ...sold.authority, commonName: keyId, now, notAfter }),
  } as unknown as Signer;
  const authority = { subscriptionId: 's_test2', ca: sold.authority.ca, caKeySealed: Buffer.alloc(0) };
  const probe = await newProbe(signer, authority, [], shopTime(days));
  const begun = performance.now();
  const revision = scene.shop.want([one.desired, { ...sold.desired, probe: probe! }]);
  const { subscriptions } = await scene.shop.reported(
    report => report.revision === revision && report.subscriptions.every(({ state }) => state === 'up'),
  );
  process.stdout.write(`${days} days fast: checked after ${Math.round(performance.now() - begun)} ms\n`);
  expect(subscriptions.find(({ id }) => id === 's_test2')).toMatchObject({ state: 'up', unproven: [] });
  scene.shop.want([one.desired]);
  await scene.settled();
});

it('V41 a host that is two days slow lets in a file that was made now', async () => {
  const { profile } = await download(one, phone.id, null, { now: shopTime(-2) });
  const begun = performance.now();
  const customer = await scene.connect(profile);
  process.stdout.write(`2 days slow: connected after ${Math.round(performance.now() - begun)} ms\n`);
  expect(await customer.seenAddress()).toBe('203.0.113.11');
  await customer.stop();
});
