import { describe, expect, it } from 'vitest';
import {
  counterOf,
  deviceCounters,
  downClass,
  downCounter,
  keyAddress,
  keyAddress6,
  processUid,
  resolverAddresses,
  resolverOf,
  slotOfDevice,
  tunnelDevice,
  tunnelNetwork,
  upClass,
  upRoot,
} from './layout.ts';

const slots = Array.from({ length: 2039 }, (_, n) => ({ slot: n + 1 }));
const keys = Array.from({ length: 31 }, (_, n) => ({ address: n + 2 }));

describe('the numbers of a host', () => {
  it('give every subscription and key a distinct traffic class that the kernel supports', () => {
    const seen = new Set<string>();
    for (const s of slots) {
      for (const id of [upRoot(s), ...keys.map(key => upClass(s, key))]) {
        const minor = Number.parseInt(id.slice(2), 16);
        if (minor <= 1 || minor > 0xffff) expect.unreachable(`class ${id}`);
        seen.add(id);
      }
    }
    expect(seen.size).toBe(2039 * 32);
    expect(new Set(['1:1', ...keys.map(downClass)]).size).toBe(32);
  });

  it('give every subscription its own network inside 10.64.0.0/13', () => {
    expect(new Set(slots.map(tunnelNetwork)).size).toBe(slots.length);
    for (const s of slots) {
      const second = Number(tunnelNetwork(s).split('.')[1]);
      expect(second >= 64 && second < 72).toBe(true);
    }
    expect(tunnelNetwork({ slot: 1 })).toBe('10.64.1.0');
    expect(keyAddress({ slot: 2039 }, { address: 32 })).toBe('10.71.247.32');
  });

  it('give every key its own IPv6 address where there is a prefix, never the first, which clients take for the gateway', () => {
    const prefix6 = '2001:db8:7:1::/72';
    const given = keys.map(key => keyAddress6({ prefix6 }, key));
    expect(new Set(given).size).toBe(31);
    expect([given[0], given.at(-1)]).toEqual(['2001:db8:7:1::2', '2001:db8:7:1::20']);
    expect(keyAddress6({}, keys[0]!)).toBeUndefined();
  });

  it('have resolver addresses that are no key’s address, each mapped to one of the host’s resolvers', () => {
    for (const s of slots) {
      const taken = keys.map(key => keyAddress(s, key));
      expect(resolverAddresses(s).some(address => taken.includes(address))).toBe(false);
    }
    const octets = ['0.0.0.1', '0.0.0.254'];
    expect(resolverOf(['9.9.9.9'])).toEqual(octets.map(octet => [octet, '9.9.9.9']));
    expect(resolverOf(['9.9.9.9', '1.1.1.1', '8.8.8.8']).map(([, to]) => to)).toEqual(['9.9.9.9', '1.1.1.1']);
    expect(resolverOf([])).toEqual([]);
  });

  it('FV10 give every subscription its own user, never that of another program', () => {
    const uids = slots.map(s => processUid(70_000, s));
    expect(new Set(uids).size).toBe(slots.length);
    expect(uids.every(uid => uid > 65_535 && uid < 100_000)).toBe(true);
  });

  it('can be parsed from a device name; other devices are not ours', () => {
    for (const s of slots) expect(slotOfDevice(tunnelDevice(s))).toBe(s.slot);
    for (const name of ['eth0', 'fpt', 'fpt0', 'fpt01', 'fptx', 'fpt1.5', 'fpt-1', 'tun0']) {
      expect(slotOfDevice(name)).toBeUndefined();
    }
  });

  it('assign a counter to its device and key', () => {
    for (const s of slots) {
      expect(counterOf(deviceCounters(s).up)).toEqual({
        device: `u${s.slot}`,
        keyId: undefined,
        direction: 'up',
      });
      const of = { device: `d${s.slot}`, keyId: 'd1_u_1', direction: 'down' };
      expect(counterOf(downCounter(s, 'd1_u_1'))).toEqual(of);
    }
    for (const other of ['other', 'd', 'd0', 'd01', 'u1x', 'd_k_phone1'])
      expect(counterOf(other)).toBeUndefined();
  });
});
