import fc from 'fast-check';
import { expect, test } from 'vitest';
import { certificateEnd, certificateStart, decideAddKey, emailedLinkEnd, linkEnd } from './key.ts';

test('key names are compared without regard to case', () => {
  expect(decideAddKey('Laptop', [{ name: 'laptop', address: 2 }], 5)).toEqual({
    ok: false,
    refusal: 'keyExists',
  });
});

test('the plan limits the number of keys', () => {
  expect(decideAddKey('b', [{ name: 'a', address: 2 }], 5, { has: 1, most: 1 })).toMatchObject({ ok: false });
  expect(decideAddKey('b', [{ name: 'a', address: 2 }], 5, { has: 0, most: 1 })).toMatchObject({ ok: true });
  expect(decideAddKey('b', [{ name: 'a', address: 2 }], 1)).toEqual({
    ok: false,
    refusal: 'keyLimitReached',
  });
});

test('the last key of the plan can be added; the first one gets the address after the server', () => {
  expect(decideAddKey('a', [], 1)).toEqual({ ok: true, address: 2 });
  expect(decideAddKey('b', [{ name: 'a', address: 2 }], 2)).toEqual({ ok: true, address: 3 });
});

test('S75 FV16 V41 a certificate begins four days early and lasts 398 days, whatever was paid for', () => {
  const now = new Date('2026-11-20T05:00:00Z');
  expect(certificateStart(now)).toEqual(new Date('2026-11-16T05:00:00Z'));
  expect(certificateEnd(now)).toEqual(new Date('2027-12-19T05:00:00Z'));
});

test('a link that hands a file to another device works for ten minutes, an emailed one for three days', () => {
  expect(linkEnd(new Date('2026-11-20T05:00:00Z'))).toEqual(new Date('2026-11-20T05:10:00Z'));
  expect(emailedLinkEnd(new Date('2026-11-20T05:00:00Z'))).toEqual(new Date('2026-11-23T05:00:00Z'));
});

test('a free address is reused, a taken one never', () => {
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
