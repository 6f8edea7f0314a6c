import { connect } from 'node:net';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { watchSlowness } from '@fixpoint/testkit/slowness.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allCalls, noThings } from './matrix-samples.ts';

let shop: TestShop;
const logged: string[] = [];
beforeAll(async () => {
  shop = await startTestShop({}, line => logged.push(line));
});
afterAll(() => shop?.stop());

describe('S62 no request keeps the server busy', () => {
  /** Long, almost valid texts that make a careless regular expression backtrack endlessly. */
  const hostile = ['a', 'a@', 'a.', 'a-', '@a.', '!a1', ' ', '-', 'ก', '..', '%20', '\\', '/'].map(part =>
    part.repeat(Math.floor(50_000 / part.length)),
  );
  test.each(allCalls.filter(({ endpoint }) => endpoint.body).map(call => [call.name, call] as const))(
    'long texts in %s',
    async (_, { endpoint, sample }) => {
      const body = (sample!.input(noThings).body ?? {}) as Record<string, unknown>;
      for (const [field, value] of Object.entries(body)) {
        if (typeof value !== 'string') continue;
        for (const text of hostile) {
          const parsed = { ...body, [field]: text };
          // Backtracking repeats on every try; of thousands of first tries one coincides with a scheduled task.
          let least = Number.POSITIVE_INFINITY;
          for (let tries = 0; tries < 3 && least >= 50; tries++) {
            const start = process.threadCpuUsage();
            expect(endpoint.body!.safeParse(parsed).success, field).toBe(false);
            // CPU time of this thread, without the machine's other load.
            const { user, system } = process.threadCpuUsage(start);
            least = Math.min(least, (user + system) / 1000);
          }
          expect(least, `${field}: ${text.slice(0, 6)}…`).toBeLessThan(50);
        }
      }
    },
  );
});

test('S69 many slow writers do not delay others', { timeout: 60_000 }, async () => {
  const { hostname, port } = new URL(shop.url);
  const slow = Array.from({ length: 300 }, () => {
    const socket = connect(Number(port), hostname);
    socket.on('error', () => {});
    socket.write(
      'POST /v1/auth/login HTTP/1.1\r\nhost: shop\r\ncontent-type: application/json\r\ncontent-length: 60000\r\n\r\n{',
    );
    return socket;
  });
  const [start, allowed] = [performance.now(), watchSlowness()];
  expect((await shop.client.order.getAllPlan()).code).toBe('0000');
  expect(performance.now() - start).toBeLessThan(allowed(3_000));
  const lines = logged.length;
  for (const socket of slow) socket.destroy();
  // The shop has received all of them when it answers a later client.
  expect((await shop.client.order.getAllPlan()).code).toBe('0000');
  expect(logged.slice(lines), 'who hangs up is no fault of the shop').toEqual([]);
});
