import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openScene, type Scene } from './testing/scene.ts';
import { download, type Sold, sell } from './testing/subscriptions.ts';

/** Two devices with one file, as the customer's diagnosis sees them: a question every five seconds, for a minute. */
const phone = { id: 'k_phone1', address: 2 };
const ASK_MS = 5000;
let scene: Scene;
let one: Sold;
beforeAll(async () => {
  scene = await openScene();
  one = await sell({ slot: 1, bindAddress: '203.0.113.11', keys: [phone] });
  scene.shop.want([one.desired]);
  await scene.settled();
});
afterAll(() => scene?.end());

async function watched(done: (seen: Awaited<ReturnType<typeof scene.shop.devices>>) => boolean) {
  const begun = performance.now();
  for (let asked = 1; ; asked++) {
    const seen = await scene.shop.devices(one.desired.id);
    const seconds = (performance.now() - begun) / 1000;
    if (done(seen) || seconds > 60) return { seen, asked, seconds: Number(seconds.toFixed(1)) };
    await sleep(ASK_MS);
  }
}

it('K19 are named within a minute, and one device alone never is', async () => {
  const { profile } = await download(one, phone.id);
  const first = await scene.connect(profile);
  const alone = await watched(([device]) => device?.outcome === 'connected' && !device.justConnected);
  expect(alone.seen).toEqual([{ outcome: 'connected', keyId: phone.id }]);
  const second = await scene.connect(profile);
  const twice = await watched(seen => seen.some(({ usedTwice }) => usedTwice));
  process.stdout.write(
    `one device is settled after ${alone.seconds} s; two are named after ${twice.seconds} s, ${twice.asked} questions\n`,
  );
  expect(twice.seen).toMatchObject([{ outcome: 'connected', keyId: phone.id, usedTwice: true }]);
  await second.stop();
  // Nothing is kept: half a minute after the last question the next one starts afresh.
  await sleep(31_000);
  const after = await watched(([device]) => device?.outcome === 'connected' && !device.justConnected);
  expect(after.seen).toEqual([{ outcome: 'connected', keyId: phone.id }]);
  await first.stop();
});
