import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openScene, type Scene } from './testing/scene.ts';
import { type Sold, sell } from './testing/subscriptions.ts';

/** Ways in and out that a tunnel must not have; each was open once. */
let scene: Scene;
let one: Sold;
let two: Sold;
const phone = { id: 'k_phone1', address: 2 };
const laptop = { id: 'k_laptop', address: 3 };
const tablet = { id: 'k_tablet', address: 2 };
const PORT_OF_HOST = 8080;

beforeAll(async () => {
  scene = await openScene();
  [one, two] = await Promise.all([
    sell({ slot: 1, bindAddress: '203.0.113.11', keys: [phone, laptop] }),
    sell({ slot: 2, bindAddress: '203.0.113.12', keys: [tablet] }),
  ]);
  scene.shop.want([one.desired, two.desired]);
  await scene.settled();
  await scene.listen('vpn', PORT_OF_HOST);
});
afterAll(() => scene?.end());

describe('FV10 a process', () => {
  it('can be read by no other, nor can what it reads', async () => {
    const pid = await scene.serverOf(one.desired.slot);
    const client = join(scene.region.runDir, String(one.desired.slot), 'clients', phone.id);
    const reads = (uid: number, path: string) => {
      const as = [`--reuid=${uid}`, `--regid=${uid}`, '--clear-groups'];
      return scene.onHost('setpriv', ...as, 'head', '-c', '1', path).then(
        () => true,
        () => false,
      );
    };
    const [own, another, nobody] = [70_000 + one.desired.slot, 70_000 + two.desired.slot, 65_534];
    for (const path of [`/proc/${pid}/maps`, `/proc/${pid}/environ`, client]) {
      expect(await reads(own, path), path).toBe(true);
      expect(await reads(another, path), path).toBe(false);
      expect(await reads(nobody, path), path).toBe(false);
    }
  });
});
