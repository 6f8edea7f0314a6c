import { expect, test } from 'vitest';
import { LONGEST_WAIT, TRIES_WINDOW_MS, tryDelaySeconds } from './try-limit.ts';

test('S13 three tries are free, then each takes longer, up to 40 seconds', () => {
  expect([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 1000].map(n => tryDelaySeconds(n, LONGEST_WAIT.account))).toEqual([
    0, 0, 1, 2, 4, 8, 16, 32, 40, 40, 40,
  ]);
});

test('S13 at most 97 comparisons happen in an hour', () => {
  let [seconds, compared] = [0, 0];
  while (seconds < TRIES_WINDOW_MS / 1000) {
    compared += 1;
    seconds += tryDelaySeconds(compared, LONGEST_WAIT.account);
  }
  expect(compared).toBe(97);
});
