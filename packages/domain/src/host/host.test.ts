import { expect, test } from 'vitest';
import { isOnline, LEASE_MS, lateSince, onlineSince } from './host.ts';

const now = new Date('2026-11-22T09:00:00Z');
const ago = (seconds: number) => new Date(now.getTime() - seconds * 1000);

test('FV6 a host that does not reach the shop for a week stops what it runs', () => {
  expect(ago(-LEASE_MS / 1000)).toEqual(new Date('2026-11-29T09:00:00Z'));
});

test('FV5 a host is online while at most two of its reports are missing, and offline before its first report', () => {
  expect(isOnline(ago(0), now)).toBe(true);
  expect(isOnline(ago(149), now)).toBe(true);
  expect(isOnline(ago(150), now)).toBe(false);
  expect(isOnline(null, now)).toBe(false);
  expect(isOnline(onlineSince(now), now)).toBe(false);
});

test('FV5 a host has a minute to run its desired set', () => {
  expect(lateSince(now)).toEqual(ago(60));
});
