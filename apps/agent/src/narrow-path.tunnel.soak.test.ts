import { afterAll, beforeAll, expect, it } from 'vitest';
import { withoutUdp } from './testing/observe.ts';
import { best, openScene, type Scene } from './testing/scene.ts';
import { download, type Sold, sell } from './testing/subscriptions.ts';

/** The file with smaller packets on a path of 1280 bytes that drops what is too big and says nothing. */
const phone = { id: 'k_phone1', address: 2 };
let scene: Scene;
let one: Sold;
beforeAll(async () => {
  scene = await openScene();
  one = await sell({ slot: 1, bindAddress: '203.0.113.11', tcpPort: 443, keys: [phone] });
  scene.shop.want([one.desired]);
  await scene.settled();
  // Wire-sized packets; namespaces pass large ones unsegmented.
  await scene.onHost('ip', 'link', 'set', 'eth0', 'gso_max_segs', '1');
});
afterAll(() => scene?.end());

it.each(['UDP', 'TCP'])('V26 passes it over %s, both ways', async way => {
  const { profile } = await download(one, phone.id, null, { smallPackets: true });
  const customer = await scene.connect(way === 'UDP' ? profile : withoutUdp(profile));
  await customer.exec(['ip', 'link', 'set', 'eth0', 'gso_max_segs', '1']);
  const drops = ['iifname', 'oifname'].map(
    side => `add rule inet narrow way ${side} "${customer.device}" ip length > 1280 drop`,
  );
  await scene.onRouter(
    'nft',
    [
      'add table inet narrow',
      'add chain inet narrow way { type filter hook forward priority 0; }',
      ...drops,
    ].join('\n'),
  );
  const down = await best(0.5, () => customer.download(1_000_000));
  const up = await best(0.5, () => customer.upload(1_000_000));
  process.stdout.write(`1280 bytes over ${way}: ${down.toFixed(1)} Mbit/s down, ${up.toFixed(1)} up\n`);
  expect(down).toBeGreaterThan(0.5);
  expect(up).toBeGreaterThan(0.5);
  await scene.onRouter('nft', 'delete table inet narrow');
  await customer.stop();
});
