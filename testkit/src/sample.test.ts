import { expect, test } from 'vitest';
import { sampled } from './sample.ts';

const all = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
const days = Array.from({ length: 30 }, (_, n) => `2026-11-${n + 1}`);

test('the same day chooses the same, in order; all days together leave nothing out', () => {
  for (const day of days) {
    const some = sampled(all, 3, day);
    expect(some).toEqual(sampled(all, 3, day));
    expect(some).toEqual(all.filter(one => some.includes(one)));
    expect(some).toHaveLength(3);
  }
  expect(new Set(days.flatMap(day => sampled(all, 3, day)))).toEqual(new Set(all));
  expect(sampled(all, 3, 'all')).toEqual(all);
});
