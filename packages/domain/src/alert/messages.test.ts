import { expect, test } from 'vitest';
import { bangkokHour, isQuiet, shareOut } from './messages.ts';

const bangkok = (time: string) => new Date(`2026-11-29T${time}:00+07:00`);

test('quiet hours are those of Bangkok and may contain midnight', () => {
  const night = { from: 22 * 60, to: 7 * 60 };
  const quiet = (time: string) => isQuiet(bangkok(time), night);
  expect(['21:59', '22:00', '23:59', '00:00', '06:59', '07:00'].map(quiet)).toEqual([
    false,
    true,
    true,
    true,
    true,
    false,
  ]);
  const noon = { from: 12 * 60, to: 13 * 60 };
  expect(['11:59', '12:00', '13:00'].map(time => isQuiet(bangkok(time), noon))).toEqual([false, true, false]);
  expect(isQuiet(bangkok('00:00'), undefined)).toBe(false);
});

test('the hour is the one that a clock in Bangkok shows', () => {
  expect([bangkokHour(bangkok('00:00')), bangkokHour(bangkok('23:59'))]).toEqual([0, 23]);
});

test.each([
  [3, 3, { single: [0, 1, 2], together: [] }],
  [4, 3, { single: [0, 1], together: [2, 3] }],
  [2, 1, { single: [], together: [0, 1] }],
  [1, 1, { single: [0], together: [] }],
  [2, 0, { single: [], together: [] }],
  [2, -1, { single: [], together: [] }],
])('of %i due messages at most %i are sent, the summary of the rest among them', (due, left, shared) => {
  expect(shareOut([...Array(due).keys()], left)).toEqual(shared);
});
