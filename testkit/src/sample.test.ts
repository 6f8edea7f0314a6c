import { expect, test } from 'vitest';
import { sampled, sampledSeed } from './sample.ts';

const all = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
const days = Array.from({ length: 30 }, (_, n) => `2026-11-${String(n + 1).padStart(2, '0')}`);

test('the same day chooses the same, in order; three days in a row leave nothing out of eight, three each', () => {
  for (const [n, day] of days.entries()) {
    const some = sampled(all, 3, day);
    expect(some).toEqual(sampled(all, 3, day));
    expect(some).toEqual(all.filter(one => some.includes(one)));
    expect(some).toHaveLength(3);
    const inARow = days.slice(n, n + 3);
    if (inARow.length === 3)
      expect(new Set(inARow.flatMap(one => sampled(all, 3, one)))).toEqual(new Set(all));
  }
  expect(sampled(all, 3, 'a name')).toHaveLength(3);
  expect(sampled(all, 3, 'all')).toEqual(all);
});

test('chance begins at another place each day, and at the same one for the same day', () => {
  expect(sampledSeed(5, days[0])).toEqual({ ...sampledSeed(5, days[0]), runs: 1 });
  expect(new Set(days.map(day => sampledSeed(5, day).seed)).size).toBe(days.length);
  expect(sampledSeed(5, 'all').runs).toBe(5);
});
