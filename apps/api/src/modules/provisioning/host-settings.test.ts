import { expect, test } from 'vitest';
import { readHostSettings, type WrittenSettings } from './host-settings.ts';

const read = (written: WrittenSettings, id = 'bkk-1') => readHostSettings(id, written);

test('FV14 an invalid host name is refused', () => {
  for (const id of ['../x', 'a.b', 'A', '', 'a'.repeat(33), '-a'])
    expect(() => read({}, id), id).toThrow('is no host name');
});

test('FV14 all errors are named at once, each with the correct form', () => {
  const written = {
    pool: '203.0.113.7/28,198.51.0.0/15,2001:db8::/64,192.168.1.0/24,1.2.3.4',
    dns: 'nonsense,192.168.0.1,2001:db8::1',
    capacity: '3000',
    weight: '0',
    port: '70000',
    tcp: 'all',
    machine: 'rack 3',
  };
  const wrong = [
    '../x is no host name',
    '203.0.113.7/28 does not begin there: 203.0.113.0/28 does',
    '198.51.0.0/15 is too large: split it into ranges of /16 or smaller',
    '2001:db8::/64 is no range of IPv4',
    '192.168.1.0/24 is private, so clients cannot reach it',
    '1.2.3.4 is no range of IPv4 addresses: write it like 203.0.113.0/24, one address like 203.0.113.7/32',
    'nonsense is no IPv4',
    '192.168.0.1 is a private',
    '2001:db8::1 is no IPv4',
    '--capacity 3000 is invalid: use 1 to 2039',
    '--weight 0 is invalid: use 1 to 1000',
    '--port 70000 is invalid: use 1 to 65535',
    '--tcp all is invalid: use 1 to 65535, or none',
    '--machine rack 3 is no IPv4 address',
  ];
  for (const text of wrong) expect(() => read(written, '../x'), text).toThrow(text);
});

test('FV14 pools of any prefix length are accepted, also several and behind 1:1 NAT', () => {
  expect(read({ pool: '203.0.113.7/32, 198.51.100.0/22,54.1.0.0/30=10.0.0.4/30' }).pools).toStrictEqual([
    { prefix: '203.0.113.7/32', bind: '203.0.113.7/32' },
    { prefix: '198.51.100.0/22', bind: '198.51.100.0/22' },
    { prefix: '54.1.0.0/30', bind: '10.0.0.4/30' },
  ]);
  expect(() => read({ pool: '54.1.0.0/30=10.0.0.0/29' })).toThrow('both ranges must be of the same length');
  expect(() => read({ pool: '54.1.0.0/30=10.0.0.1/30' })).toThrow('10.0.0.0/30 does');
});

test('FV1 a range may have an IPv6 prefix', () => {
  expect(
    read({ pool: '203.0.113.0/24+2001:db8:7::/56,54.1.0.0/30=10.0.0.4/30+2001:db8:9::/64' }).pools,
  ).toEqual([
    { prefix: '203.0.113.0/24', bind: '203.0.113.0/24', prefix6: '2001:db8:7::/56' },
    { prefix: '54.1.0.0/30', bind: '10.0.0.4/30', prefix6: '2001:db8:9::/64' },
  ]);
  const wrong = {
    '2001:db8:7::': 'is no prefix of IPv6: write it like 2001:db8:7::/56',
    'nonsense/64': 'is no prefix of IPv6',
    '2001:db8:7::/56x': 'is no prefix of IPv6',
    '2001:db8:7::/x56': 'is no prefix of IPv6',
    'fd00::/64': 'is not a global unicast prefix',
    '2001:db8:7::1/64': 'or has host bits set',
    '2001:db8:7::/113': 'is too small for a range of /24: use /112 or larger',
    '2001:db8:7::/64+2001:db8:8::/64': 'is no pool',
  };
  for (const [prefix6, text] of Object.entries(wrong))
    expect(() => read({ pool: `203.0.113.0/24+${prefix6}` }), prefix6).toThrow(text);
  expect(() => read({ pool: '203.0.113.7/32+2001:db8:7::/64', routing: 'hcloud', machine: '1' })).toThrow(
    'cannot move with a floating IP',
  );
});

test('FV14 a range is a /16 at most, and a host has at most four resolvers', () => {
  expect(read({ pool: '198.51.0.0/16' }).pools).toHaveLength(1);
  const [least] = read({ pool: '203.0.113.0/24+2001:db8:7::/112' }).pools;
  expect(least).toMatchObject({ prefix6: '2001:db8:7::/112' });
  // An invalid range is not compared with another.
  expect(() => read({ pool: '54.1.0.0=10.0.0.4/30' })).not.toThrow('1:1 NAT');
  const four = '1.1.1.1, 8.8.8.8,9.9.9.9,1.0.0.1';
  expect(read({ dns: four }).dns).toEqual(['1.1.1.1', '8.8.8.8', '9.9.9.9', '1.0.0.1']);
  expect(() => read({ dns: `${four},8.8.4.4` })).toThrow('--dns takes at most four resolvers');
});

test('settings that are not given are absent or have their default', () => {
  expect(read({})).toStrictEqual({ pools: [], port: 1194, routing: 'static' });
});

test('FV14 numbers are accepted at their limits, and a statically routed machine has an address', () => {
  expect(read({ port: '1', capacity: '1', weight: '1' })).toMatchObject({ port: 1, capacity: 1, weight: 1 });
  expect(read({ port: '65535', capacity: '2039', weight: '1000', machine: '192.0.2.70' })).toStrictEqual({
    pools: [],
    port: 65_535,
    routing: 'static',
    capacity: 2039,
    weight: 1000,
    machine: '192.0.2.70',
  });
});

test('V16 the TCP port is a number or none', () => {
  expect(read({ tcp: '8443' })).toMatchObject({ tcpPort: 8443 });
  expect(read({ tcp: 'none' })).toMatchObject({ tcpPort: null });
});

test('floating IPs are single addresses, routed to a server ID', () => {
  expect(read({ routing: 'hcloud', pool: '203.0.113.7/32', machine: '4711' })).toMatchObject({
    routing: 'hcloud',
    machine: '4711',
  });
  expect(() => read({ routing: 'hcloud', pool: '203.0.113.0/29' })).toThrow(
    /floating IP is one address.*--machine is missing/,
  );
  expect(() => read({ routing: 'hcloud', machine: '192.0.2.1' })).toThrow('no Hetzner server ID');
  expect(() => read({ routing: 'bgp' })).toThrow('--routing bgp is invalid: use static or hcloud');
});
