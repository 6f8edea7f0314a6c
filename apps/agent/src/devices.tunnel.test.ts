import { setTimeout as sleep } from 'node:timers/promises';
import { latestNotAfter } from '@fixpoint/api/adapters/pki/crypto.ts';
import { issueClient } from '@fixpoint/api/adapters/pki/leaf.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openScene, type Scene, UNANSWERED_MS } from './testing/scene.ts';
import { download, type Sold, sell } from './testing/subscriptions.ts';

/** What a host says of devices whose customer asks why they are not connected, by a real openvpn that writes no log. */
let scene: Scene;
let one: Sold;
const phone = { id: 'k_phone1', address: 2 };
const laptop = { id: 'k_laptop', address: 3 };
const DAY_MS = 24 * 60 * 60_000;

beforeAll(async () => {
  scene = await openScene();
  one = await sell({ slot: 1, bindAddress: '203.0.113.11', keys: [phone, laptop] });
  scene.shop.want([one.desired]);
  await scene.settled();
});
afterAll(() => scene?.end());

const asked = () => scene.shop.devices(one.desired.id);
/** What is seen after a device with this file was refused. */
async function afterRefusal(profile: string) {
  await asked();
  await scene.refused(profile, UNANSWERED_MS);
  return asked();
}

it('K19 FV19 tells a key that is none from a file that holds no more', async () => {
  expect(await asked()).toEqual([]);
  expect(await afterRefusal((await download(one, 'k_other1')).profile)).toEqual([
    { outcome: 'unknownKey', keyId: 'k_other1' },
  ]);
  // Until the process has forgotten it.
  await sleep(6_000);
  const { profile, serial } = await download(one, laptop.id);
  one.desired = { ...one.desired, revoked: [{ keyId: laptop.id, serial }] };
  scene.shop.want([one.desired]);
  await scene.settled();
  expect(await afterRefusal(profile)).toEqual([{ outcome: 'refused' }]);

  const then = new Date(Date.now() - 400 * DAY_MS);
  const ended = await issueClient({
    ...one.authority,
    commonName: phone.id,
    now: then,
    notAfter: new Date(latestNotAfter(then).getTime() - DAY_MS * 10),
  });
  const inline = (tag: string, pem: string) => (text: string) =>
    text.replace(new RegExp(`<${tag}>[\\s\\S]+</${tag}>`), `<${tag}>\n${pem.trim()}\n</${tag}>`);
  const old = inline(
    'cert',
    ended.certificate,
  )(inline('key', ended.privateKey)((await download(one, phone.id)).profile));
  expect(await afterRefusal(old)).toEqual([{ outcome: 'refused' }]);
});

it('tells a network that loses large packets from a device that is refused', async () => {
  await scene.onRouter('nft', 'add table inet narrow');
  await scene.onRouter('nft', 'add chain inet narrow drops { type filter hook forward priority 0; }');
  await scene.onRouter('nft', 'add rule inet narrow drops udp sport 1194 meta length > 500 drop');
  await asked();
  const trying = scene.refused((await download(one, phone.id)).profile, 8_000);
  await sleep(2_000);
  await asked();
  await sleep(3_000);
  expect(await asked()).toEqual([{ outcome: 'unanswered' }]);
  await trying;
  await scene.onRouter('nft', 'delete table inet narrow');
});

it('names the device that is connected', async () => {
  await scene.connect((await download(one, phone.id)).profile);
  expect(await asked()).toContainEqual({ outcome: 'connected', keyId: phone.id });
});

it('FV8 begins a server anew for a customer before it answers, not as one that has ended by itself', async () => {
  const server = await scene.serverOf(1);
  await scene.shop.devices(one.desired.id, true);
  expect(await scene.serverOf(1)).not.toBe(server);
  expect(scene.agentLines.filter(line => line.includes('openvpnEnded'))).toEqual([]);
});
