import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { longFiles, notToday } from './in-turn.ts';
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

test('what is sampled is spread over the whole, each day as many', () => {
  const many = Array.from({ length: 57 }, (_, n) => n);
  for (const day of days) {
    const some = sampled(many, 15, day);
    expect(some).toHaveLength(15);
    for (const [n, one] of some.entries()) expect(one - (some[n - 1] ?? -1)).toBeLessThanOrEqual(4);
  }
});

test('within four days each long file of a suite has its turn, and without a day all of them', () => {
  for (const suite of ['server', 'tunnel', 'journeys'] as const) {
    const all = longFiles(suite);
    for (const n of [0, 7, 20]) {
      const left = days.slice(n, n + 4).map(day => notToday(suite, day));
      for (const { length } of left) expect(length).toBe(all.length - Math.ceil(all.length / 4));
      for (const file of all)
        expect(
          left.every(files => files.includes(file)),
          file,
        ).toBe(false);
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
