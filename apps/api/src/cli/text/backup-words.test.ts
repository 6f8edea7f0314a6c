import { expect, test } from 'vitest';
import { duration } from './backup-words.ts';

test.each([
  [0, '0 s'],
  [59, '59 s'],
  [60, '1 min'],
  [3_725, '1 h 2 min'],
  [86_400, '1 d'],
  [180_000, '2 d 2 h'],
])('%s seconds are %s', (seconds, text) => {
  expect(duration(seconds)).toBe(text);
});
