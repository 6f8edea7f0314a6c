import { expect, test } from 'vitest';
import { isWithin } from './is-within.ts';

test.each([
  ['203.0.113.7', '203.0.113.7', true],
  ['203.0.113.8', '203.0.113.7', false],
  ['::ffff:203.0.113.7', '203.0.113.7', true],
  ['::FFFF:203.0.113.8', '203.0.113.7', false],
  ['2001:db8:7:100::5', '2001:db8:7:100::/64', true],
  ['2001:DB8:7:100:0:0:0:5', '2001:db8:7:100::/64', true],
  ['2001:db8:7:101::5', '2001:db8:7:100::/64', false],
  ['203.0.113.7', '2001:db8:7:100::/64', false],
  ['2001:db8:7:100::5', '203.0.113.7', false],
  ['', '203.0.113.7', false],
  ['unknown', '203.0.113.7', false],
  ['unknown', '2001:db8:7:100::/64', false],
])('FU16 an address matches itself or its prefix: %s in %s is %s', (ip, range, within) => {
  expect(isWithin(ip, range)).toBe(within);
});
