import { ADDRESSES } from '@fixpoint/sandbox/internet/namespaces.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openScene, type Scene } from './testing/scene.ts';
import { download, sell } from './testing/subscriptions.ts';

/**
 * Behind 1:1 NAT: the cloud has put a private address on the card, and its router translates the
 * sold one to it.
 */
const PUBLIC = '203.0.113.50';
const PRIVATE = '10.1.0.7';
/** Also on the card, and not sold yet. */
const FREE = '10.1.0.8';
const phone = { id: 'k_phone1', address: 2 };
const laptop = { id: 'k_laptop', address: 3 };
let scene: Scene;

beforeAll(async () => {
  scene = await openScene({ AGENT_ADDRESSES: 'managed' });
  // Single-host addresses, like the agent's own: it would remove those that it takes for its own.
  for (const address of [PRIVATE, FREE])
    await scene.onHost('ip', 'addr', 'add', `${address}/32`, 'dev', 'eth0');
  await scene.onRouter('ip', 'route', 'add', PRIVATE, 'via', ADDRESSES.host);
  const nat = [
    'add table ip cloud',
    'add chain ip cloud arrive { type nat hook prerouting priority -100; }',
    `add rule ip cloud arrive ip daddr ${PUBLIC} dnat to ${PRIVATE}`,
    'add chain ip cloud leave { type nat hook postrouting priority 100; }',
    `add rule ip cloud leave ip saddr ${PRIVATE} snat to ${PUBLIC}`,
  ];
  await scene.onRouter('nft', nat.join('\n'));
});
afterAll(() => scene?.end());

it("V11 a customer connects to the public address and is seen with it, and the card's addresses stay untouched", async () => {
  const card = () => scene.onHost('ip', '-4', '-o', 'addr', 'show', 'dev', 'eth0');
  const made = await card();
  for (const address of [PRIVATE, FREE]) expect(made).toContain(`${address}/32`);
  const sold = await sell({
    slot: 1,
    bindAddress: PRIVATE,
    publicAddress: PUBLIC,
    tcpPort: 443,
    keys: [phone, laptop],
  });
  scene.shop.want([sold.desired]);
  await scene.settled();
  const { profile } = await download(sold, phone.id);
  const customer = await scene.connect(profile);
  expect(customer.output()).toContain(`[AF_INET]${PUBLIC}:1194`);
  expect(await customer.seenAddress()).toBe(PUBLIC);
  expect(await card()).toBe(made);

  // A restarted agent looks for leftovers on the card.
  await scene.region.killAgent();
  scene.region.startAgent();
  scene.shop.want([{ ...sold.desired, keys: [laptop] }]);
  await scene.settled();
  expect(await customer.alive()).toBe(false);
  expect(await scene.refused(profile)).toContain('AUTH_FAILED');
  expect(await card()).toBe(made);

  scene.shop.want([]);
  await scene.settled();
  expect(await scene.servers()).toEqual([]);
  expect(await card()).toBe(made);
  expect(scene.shop.reports.flatMap(({ drift }) => drift)).toEqual([]);
});
