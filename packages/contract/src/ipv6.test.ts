import { isIPv6 } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { address6, isInternet6, part6 } from './ipv6.ts';

describe('a shared IPv6 prefix', () => {
  it('yields the nth of its parts and addresses in them, in canonical form', () => {
    expect(part6('2001:db8:7::/56', 8, 0, 64)).toBe('2001:db8:7::/64');
    expect(part6('2001:db8:7::/56', 8, 255, 64)).toBe('2001:db8:7:ff::/64');
    expect(part6('2001:db8:7:1::/64', 8, 11, 64)).toBe('2001:db8:7:1:b00::/72');
    // Only the first /64 of a /56 is used.
    expect(part6('2001:db8::/48', 8, 3, 64)).toBe('2001:db8:0:300::/64');
    expect(address6('2001:db8:7::/64', 2)).toBe('2001:db8:7::2');
    expect(address6('2001:0db8:0007:0000:aa00::/72', 32)).toBe('2001:db8:7:0:aa00::20');
  });

  it('yields disjoint parts', () => {
    const room = { bits: fc.integer({ min: 0, max: 16 }), length: fc.integer({ min: 32, max: 104 }) };
    fc.assert(
      fc.property(fc.record(room), fc.nat(65_535), fc.nat(65_535), ({ bits, length }, a, b) => {
        const [one, two] = [a, b].map(n => part6(`2001:db8::/${length}`, bits, n % 2 ** bits, 64));
        expect(isInternet6(one!)).toBe(true);
        const last = [one!, two!].map(prefix => address6(prefix, 200));
        expect(last.every(isIPv6)).toBe(true);
        expect(last[0] === last[1]).toBe(a % 2 ** bits === b % 2 ** bits);
      }),
    );
  });

  it('must be of the internet and have no bits beyond its length', () => {
    for (const prefix of ['2001:db8::/32', '2a01:4f8:1:2::/64', '2000::/3'])
      expect(isInternet6(prefix), prefix).toBe(true);
    for (const prefix of [
      'fd00::/48',
      'fe80::/64',
      '::/0',
      '2001:db8::1/64',
      '::ffff:1.2.3.4/120',
      '4000::/3',
    ])
      expect(isInternet6(prefix), prefix).toBe(false);
  });
});
