import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { checkDatabase } from '../../src/modules/books/index.ts';
import { chainRounds } from '../checkout/chain-rounds.ts';

/** The long form of the parallel chains in `checkout/chains.server.test.ts`. */
let shop: TestShop;
beforeAll(async () => {
  shop = await startTestShop({ WITHDRAWAL: 'DE:days' });
});
afterEach(async () => {
  expect(await checkDatabase(shop.db, shop.clock.now())).toEqual([]);
});
afterAll(() => shop?.stop());

test.each(Array.from({ length: 12 }, (_, n) => 100 + n))(
  'nothing is got for nothing (seed %i)',
  async seed => {
    expect(await chainRounds(shop, seed, 14)).toEqual([]);
  },
);
