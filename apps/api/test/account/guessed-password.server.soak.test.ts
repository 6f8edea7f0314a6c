import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { HOUR_MS, logInsAt, WRONG, waits } from './device-log-ins.ts';

let shop: TestShop;
let people: ReturnType<typeof logInsAt>;
beforeAll(async () => {
  shop = await startTestShop({ LIMITS_SCALE: '1', TRUST_PROXY: '127.0.0.1' });
  people = logInsAt(shop);
});
afterAll(() => shop?.stop());
// Resets the limits, so that each test has its own.
beforeEach(() => shop.clock.advance(25 * HOUR_MS));

test('S13 while two hundred networks guess, the owner logs in at once on a known browser, and waits elsewhere', async () => {
  const { email, cookie } = await people.customer('crowd@example.com');
  let compared = 0;
  async function crowd(networks: number): Promise<void> {
    for (let n = 0; n < networks; n += 1) {
      const answer = await people.login(email, { password: WRONG, from: `192.0.2.${n}`, proof: true });
      if (answer.code === '8005') compared += 1;
      // They retry as soon as one of them is served, until the wait is at its maximum.
      else if (compared < 12) shop.clock.advance(Number(answer.headers.get('retry-after')) * 1000);
    }
  }
  await crowd(200);
  expect(compared).toBe(12);
  const elsewhere = await people.login(email, { proof: true });
  expect(elsewhere).toMatchObject(waits);
  expect(Number(elsewhere.headers.get('retry-after'))).toBeGreaterThan(30);
  // No proof of work, no wait, and one mistake is tolerated.
  expect((await people.login(email, { cookie, password: WRONG })).code).toBe('8005');
  expect((await people.login(email, { cookie })).code).toBe('0000');

  // Without the cookie the owner competes with them after a wait of at most 40 seconds.
  compared = 0;
  await crowd(60);
  expect(await people.login(email, { proof: true })).toMatchObject(waits);
  shop.clock.advance(40_000);
  expect(await people.login(email)).toMatchObject({ ...waits, data: { humanCheck: true } });
  expect((await people.login(email, { proof: true })).code).toBe('0000');
});

test('S13 a stolen cookie allows fifteen more comparisons in an hour', async () => {
  const { email, cookie } = await people.customer('stolen@example.com');
  const end = shop.clock.now().getTime() + HOUR_MS;
  let compared = 0;
  for (let n = 0; shop.clock.now().getTime() < end; n += 1) {
    const from = `198.18.${n >> 8}.${n & 255}`;
    const answer = await people.login(email, { password: WRONG, from, cookie, proof: true });
    if (answer.code === '8005') compared += 1;
    else shop.clock.advance(Number(answer.headers.get('retry-after')) * 1000);
  }
  expect(compared).toBeGreaterThan(97);
  expect(compared).toBeLessThanOrEqual(97 + 15);
});
