import { BlockList, isIPv6 } from 'node:net';

const family = (ip: string) => (isIPv6(ip) ? 'ipv6' : 'ipv4');

/**
 * Whether an address is within a range.
 * @param ip client address, or nonsense of a proxy; a dual-stack socket maps IPv4 addresses into IPv6
 * @param range an address or a prefix: `2001:db8:7:100::/64`
 */
export function isWithin(ip: string, range: string): boolean {
  const [first = '', length] = range.split('/');
  const list = new BlockList();
  if (length === undefined) list.addAddress(first, family(first));
  else list.addSubnet(first, Number(length), family(first));
  return list.check(ip, family(ip));
}
