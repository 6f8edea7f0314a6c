import fc from 'fast-check';
import { expect, test } from 'vitest';
import { certificateEnd, decideAddKey } from './key.ts';

test('the same name in other capitals is the same name', () => {
  expect(decideAddKey('Laptop', [{ name: 'laptop', address: 2 }], 5)).toEqual({
    ok: false,
    refusal: 'keyExists',
  });
});

test('the plan limits the number of keys', () => {
  expect(decideAddKey('b', [{ name: 'a', address: 2 }], 1)).toEqual({
    ok: false,
    refusal: 'keyLimitReached',
  });
});

test('the last key of the plan can be added, the first one after the server', () => {
  expect(decideAddKey('a', [], 1)).toEqual({ ok: true, address: 2 });
  expect(decideAddKey('b', [{ name: 'a', address: 2 }], 2)).toEqual({ ok: true, address: 3 });
});

test.each([
  ['2026-12-20', '2026-12-27'],
  ['2027-11-20', '2027-11-27'],
  ['2028-11-20', '2027-12-22'],
])('S75 for a period until %s a certificate made on 2026-11-20 lasts until %s', (periodEnd, end) => {
  const at = (day: string) => new Date(`${day}T05:00:00Z`);
  expect(certificateEnd(at('2026-11-20'), at(periodEnd))).toEqual(at(end));
});

test('a free address is used again, and never one that is taken', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.integer({ min: 2, max: 20 }), { maxLength: 10 }), addresses => {
      const existing = addresses.map(address => ({ name: `k${address}`, address }));
      const decision = decideAddKey('new', existing, 62);
      expect(decision.ok).toBe(true);
      if (!decision.ok) return;
      expect(addresses).not.toContain(decision.address);
      for (let lower = 2; lower < decision.address; lower++) expect(addresses).toContain(lower);
    }),
  );
});
