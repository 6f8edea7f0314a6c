import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { longFiles, notToday } from './in-turn.ts';
import { ROUND_DAYS, sampled, sampledSeed } from './sample.ts';

const all = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
const days = Array.from({ length: 30 }, (_, n) => `2026-11-${String(n + 1).padStart(2, '0')}`);

test('the same day chooses the same, in order, three of eight each', () => {
  for (const day of days) {
    const some = sampled(all, 3, day);
    expect(some).toEqual(sampled(all, 3, day));
    expect(some).toEqual(all.filter(one => some.includes(one)));
    expect(some).toHaveLength(3);
  }
  expect(sampled(all, 3, 'a name')).toHaveLength(3);
  expect(sampled(all, 3, 'all')).toEqual(all);
});

test.each([2, 3, 4, 5, 8, 12])(
  'a file that has its turn once in a round meets each of %i variants in as many turns',
  length => {
    const variants = Array.from({ length }, (_, n) => n);
    const from = Date.parse(days[0]!);
    const dayAfter = (n: number) => new Date(from + n * 24 * 60 * 60_000).toISOString().slice(0, 10);
    for (let first = 0; first < ROUND_DAYS; first += 1) {
      const met = variants.flatMap(turn => sampled(variants, 1, dayAfter(first + turn * ROUND_DAYS)));
      expect(new Set(met)).toEqual(new Set(variants));
    }
  },
);

test('what is sampled is spread over the whole, each day as many', () => {
  const many = Array.from({ length: 57 }, (_, n) => n);
  for (const day of days) {
    const some = sampled(many, 15, day);
    expect(some).toHaveLength(15);
    for (const [n, one] of some.entries()) expect(one - (some[n - 1] ?? -1)).toBeLessThanOrEqual(4);
  }
});

test('in each round of days each long file of a suite has one turn, and without a day all of them', () => {
  for (const suite of ['server', 'tunnel', 'journeys'] as const) {
    const all = longFiles(suite);
    for (const n of [0, 7, 20]) {
      const turns = days
        .slice(n, n + ROUND_DAYS)
        .map(day => all.filter(file => !notToday(suite, day).includes(file)));
      expect(turns.flat().sort()).toEqual([...all].sort());
      for (const { length } of turns) expect(Math.abs(length - all.length / ROUND_DAYS)).toBeLessThan(1);
    }
    for (const by of ['all', 'a name']) expect(notToday(suite, by)).toEqual([]);
  }
});

test('every long file is there, under one name', () => {
  const files = ['packages', 'testkit', 'apps', 'scripts', 'e2e'].flatMap(folder =>
    readdirSync(new URL(`../../${folder}`, import.meta.url), { recursive: true, encoding: 'utf8' }).filter(
      path => !path.includes('node_modules'),
    ),
  );
  for (const suite of ['server', 'tunnel', 'journeys'] as const) {
    const all = longFiles(suite);
    expect(new Set(all).size).toBe(all.length);
    for (const name of all)
      expect(
        files.some(path => `/${path}`.endsWith(`/${name}`)),
        name,
      ).toBe(true);
  }
});

test('chance begins at another place each day, and at the same one for the same day', () => {
  expect(sampledSeed(5, days[0])).toEqual({ ...sampledSeed(5, days[0]), runs: 1 });
  expect(new Set(days.map(day => sampledSeed(5, day).seed)).size).toBe(days.length);
  expect(sampledSeed(5, 'all').runs).toBe(5);
});
