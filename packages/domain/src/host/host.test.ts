import { expect, test } from 'vitest';
import { heardSince, isHeard, LEASE_MS, lateSince } from './host.ts';

const now = new Date('2026-11-22T09:00:00Z');
const ago = (seconds: number) => new Date(now.getTime() - seconds * 1000);

test('FV6 a host that does not reach the shop for a week ends what it runs', () => {
  expect(ago(-LEASE_MS / 1000)).toEqual(new Date('2026-11-29T09:00:00Z'));
});

test('FV5 a host is there while two of its reports may be missing, and not when it never made one', () => {
  expect(isHeard(ago(0), now)).toBe(true);
  expect(isHeard(ago(149), now)).toBe(true);
  expect(isHeard(ago(150), now)).toBe(false);
  expect(isHeard(null, now)).toBe(false);
  expect(isHeard(heardSince(now), now)).toBe(false);
});

test('FV5 a host has a minute to run what it was given', () => {
  expect(lateSince(now)).toEqual(ago(60));
});
