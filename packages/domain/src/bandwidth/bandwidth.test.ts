import { describe, expect, test } from 'vitest';
import { decideLimits } from './limits.ts';
import { lastDays, sharesReached } from './usage.ts';

describe('limits of keys', () => {
  const keys = [
    { id: 'phone', rateMbit: null },
    { id: 'laptop', rateMbit: 20 },
  ];
  const decide = (...wanted: { id: string; rateMbit: number | null }[]) => decideLimits(100, keys, wanted);

  test('change where they differ, each up to the full line rate', () => {
    expect(decide({ id: 'phone', rateMbit: 100 }, { id: 'laptop', rateMbit: 20 })).toEqual({
      ok: true,
      changed: [{ id: 'phone', rateMbit: 100 }],
    });
    expect(decide({ id: 'laptop', rateMbit: null })).toMatchObject({
      changed: [{ id: 'laptop', rateMbit: null }],
    });
    expect(decide()).toEqual({ ok: true, changed: [] });
  });

  test('take the last value when one key is named twice', () => {
    expect(decide({ id: 'phone', rateMbit: 5 }, { id: 'phone', rateMbit: null })).toEqual({
      ok: true,
      changed: [],
    });
  });

  test('are refused above the line rate and for an unknown key', () => {
    expect(decide({ id: 'laptop', rateMbit: 5 }, { id: 'phone', rateMbit: 101 })).toEqual({
      ok: false,
      refusal: 'aboveLine',
      at: 1,
    });
    expect(decide({ id: 'phone', rateMbit: 101 })).toMatchObject({ refusal: 'aboveLine', at: 0 });
    expect(decide({ id: 'other', rateMbit: 5 })).toEqual({ ok: false, refusal: 'keyNotFound' });
  });
});

describe('usage', () => {
  test('M7 is reported at 80 and at 100 percent of the figure, not a byte earlier', () => {
    expect(sharesReached(79_999_999_999, 100)).toEqual([]);
    expect(sharesReached(80_000_000_000, 100)).toEqual([80]);
    expect(sharesReached(99_999_999_999, 100)).toEqual([80]);
    expect(sharesReached(100_000_000_000, 100)).toEqual([100, 80]);
  });

  test('K11 is stored per day for 31 days, by the calendar of Bangkok', () => {
    expect(lastDays(new Date('2026-11-30T16:59:59Z'))).toEqual({ first: '2026-10-31', last: '2026-11-30' });
    expect(lastDays(new Date('2026-11-30T17:00:00Z'))).toEqual({ first: '2026-11-01', last: '2026-12-01' });
  });
});
