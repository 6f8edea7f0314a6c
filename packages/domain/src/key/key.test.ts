import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decideAddKey } from './key.ts';

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
