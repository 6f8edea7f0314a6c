import { expect, test } from 'vitest';
import { workBeyond } from './proof-of-work.ts';

test('S43 the price of a call doubles with each further limit of calls, up to eight units', () => {
  const prices = [0, 19, 20, 39, 40, 60, 1_000_000].map(proved => workBeyond(proved, 20));
  expect(prices).toEqual([1, 1, 2, 2, 4, 8, 8]);
});

test('S43 a limit below one call still has a price', () => {
  expect(workBeyond(0, 0.05)).toBe(1);
});
