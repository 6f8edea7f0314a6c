import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { openStripe } from './client.ts';
import { createTurns } from './pace.ts';

const A_SECOND = 25;

test('a day of renewals stays within Stripe’s calls per second of each kind, and does not delay other kinds', () => {
  const turns = createTurns(A_SECOND);
  const sent = Array.from({ length: 200 }, () => turns('POST v1 payment_intents', 0));
  for (const from of sent)
    expect(sent.filter(at => at >= from && at < from + 1000).length).toBeLessThanOrEqual(A_SECOND);
  expect(Math.max(...sent)).toBeLessThan((200 / A_SECOND) * 1000 * 1.3);
  expect(turns('GET v1 payment_intents :id', 0)).toBe(0);
});

test('a single buyer does not wait, even after a rush', () => {
  const turns = createTurns(A_SECOND);
  for (let n = 0; n < 50; n += 1) turns('POST v1 payment_intents', 0);
  expect(turns('POST v1 payment_intents', 60_000)).toBe(0);
});

test('calls to Stripe wait for their turn', async () => {
  const arrived: number[] = [];
  const server = createServer((_, answer) => {
    arrived.push(performance.now());
    answer.setHeader('content-type', 'application/json').end('{"id":"cus_1","object":"customer"}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const { stripe } = openStripe({
    secret: 'sk_test_x',
    webhookSecrets: [],
    host: '127.0.0.1',
    port,
    protocol: 'http',
    clock: { now: () => new Date() },
    callsPerSecond: A_SECOND,
  });
  try {
    const start = performance.now();
    await Promise.all(Array.from({ length: 15 }, (_, n) => stripe.customers.retrieve(`cus_${n}`)));
    // Five at once, then one each 40 ms. A timer may fire a millisecond early.
    expect(arrived.at(-1)! - start).toBeGreaterThan(390);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
