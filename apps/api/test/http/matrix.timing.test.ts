import type { TestClient } from '@fixpoint/testkit/client.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { peopleOfMatrix } from './matrix-people.ts';
import { type Call, type Input, ownedCalls, send, type Things } from './matrix-samples.ts';

let shop: TestShop;
let a: { things: Things };
let b: { client: TestClient };
let unknown: Things;
beforeAll(async () => {
  shop = await startTestShop();
  ({ a, b, unknown } = await peopleOfMatrix(shop));
});
afterAll(() => shop?.stop());

test("S29 the time of an answer does not distinguish another customer's id from an unknown one", {
  timeout: 120_000,
}, async () => {
  const PAIRS = 40;
  const median = (values: number[]) => values.toSorted((x, y) => x - y)[values.length >> 1]!;
  const measure = async (name: string, input: Input): Promise<number> => {
    const start = performance.now();
    await send(b.client, name, input);
    return performance.now() - start;
  };
  /**
   * Pairs of calls in alternating order. The times differ when the medians are more than 10 % apart and four of five pairs lean
   * to the same side. Load on the machine causes the first, never both.
   */
  const toldApart = async ({ name, sample }: Call): Promise<string | undefined> => {
    const [others, none]: [number[], number[]] = [[], []];
    for (let i = 0; i < PAIRS; i++) {
      const first = i % 2 === 0;
      if (first) others.push(await measure(name, sample!.input(a.things)));
      none.push(await measure(name, sample!.input(unknown)));
      if (!first) others.push(await measure(name, sample!.input(a.things)));
    }
    const [x, y] = [median(others), median(none)];
    const slower = others.filter((time, i) => time > none[i]!).length;
    const leans = Math.max(slower, PAIRS - slower) >= 0.8 * PAIRS;
    const apart = Math.abs(x - y) > Math.max(0.1 * Math.max(x, y), 0.3);
    return leans && apart ? `${name}: ${x.toFixed(1)} and ${y.toFixed(1)} ms` : undefined;
  };
  const found: string[] = [];
  for (const call of ownedCalls.filter(({ name }) => /^(subscription|billing|order)\./.test(name))) {
    const apart = (await toldApart(call)) && (await toldApart(call));
    if (apart) found.push(apart);
  }
  expect(found).toEqual([]);
});
