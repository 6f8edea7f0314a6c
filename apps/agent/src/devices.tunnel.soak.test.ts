import { setTimeout as sleep } from 'node:timers/promises';
import { latestNotAfter } from '@fixpoint/api/adapters/pki/crypto.ts';
import { issueClient } from '@fixpoint/api/adapters/pki/leaf.ts';
import type { DeviceSeen } from '@fixpoint/contract/agent.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually, openScene, type Scene, UNANSWERED_MS } from './testing/scene.ts';
import { download, type Sold, sell } from './testing/subscriptions.ts';

/**
 * What a host reports of devices whose customer asks why they are not connected, with a real
 * openvpn that writes no log.
 */
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
/** Expects exactly these outcomes after a refused attempt; on a busy machine they take longer. */
async function expectAfterRefusal(profile: string, devices: DeviceSeen[]) {
  let timeout = 0;
  const seen = async () => {
    await asked();
    timeout += UNANSWERED_MS;
    await scene.refused(profile, timeout);
    return asked();
  };
  await expect.poll(seen, { timeout: 120_000 }).toEqual(devices);
}

it('K19 FV19 distinguishes an unknown key from a revoked file', async () => {
  expect(await asked()).toEqual([]);
  await expectAfterRefusal((await download(one, 'k_other1')).profile, [
    { outcome: 'unknownKey', keyId: 'k_other1' },
  ]);
  // Until the process has forgotten it.
  await expect.poll(asked).toEqual([]);
  const { profile, serial } = await download(one, laptop.id);
  one.desired = { ...one.desired, revoked: [{ keyId: laptop.id, serial }] };
  scene.shop.want([one.desired]);
  await scene.settled();
  await expectAfterRefusal(profile, [{ outcome: 'refused' }]);

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
  await expectAfterRefusal(old, [{ outcome: 'refused' }]);
});

it('K10 the agent logs nothing about a refused device that calls again and again', async () => {
  const { profile } = await download(one, 'k_other1');
  const lines = scene.agentLines.length;
  let over = false;
  const calling = (async () => {
    while (!over) await scene.refused(profile, 20_000);
  })();
  for (let looks = 0; looks < 3; looks++) {
    // OpenVPN lists a refused client for seconds; the agent reconciles meanwhile.
    await expect.poll(asked, { timeout: 60_000 }).not.toEqual([]);
    await scene.onHost('nft', 'add chain inet fixpoint beside');
    await eventually(
      'the agent looks',
      async () => !(await scene.onHost('nft', 'list', 'table', 'inet', 'fixpoint')).includes('beside'),
    );
    // The sessions are checked after that.
    await sleep(1500);
  }
  over = true;
  await calling;
  expect(scene.agentLines.slice(lines).filter(line => line.includes('"drift"'))).toEqual([]);
});

it('distinguishes a network that drops large packets from a refused device', async () => {
  await scene.onRouter('nft', 'add table inet narrow');
  await scene.onRouter('nft', 'add chain inet narrow drops { type filter hook forward priority 0; }');
  await scene.onRouter('nft', 'add rule inet narrow drops udp sport 1194 meta length > 500 drop');
  await asked();
  const { profile } = await download(one, phone.id);
  let over = false;
  const trying = (async () => {
    while (!over) await scene.refused(profile, 8_000);
  })();
  // The handshake must have stalled between two snapshots.
  await expect
    .poll(asked, { interval: 2_000 })
    .toEqual([{ outcome: 'unanswered' }])
    .finally(() => {
      over = true;
    });
  await trying;
  await scene.onRouter('nft', 'delete table inet narrow');
});

it('names the connected device', async () => {
  await scene.connect((await download(one, phone.id)).profile);
  expect(await asked()).toContainEqual({ outcome: 'connected', keyId: phone.id, justConnected: true });
});

it('FV8 restarts a server for a customer before it answers, without counting it as a failure', async () => {
  const server = await scene.serverOf(1);
  await scene.shop.devices(one.desired.id, true);
  expect(await scene.serverOf(1)).not.toBe(server);
  expect(scene.agentLines.filter(line => line.includes('openvpnEnded'))).toEqual([]);
});
