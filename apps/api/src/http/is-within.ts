import { BlockList, isIPv6 } from 'node:net';

const family = (ip: string) => (isIPv6(ip) ? 'ipv6' : 'ipv4');

/**
 * Whether an address is within a range.
 * @param ip of whoever calls; a socket of both families names an IPv4 address inside of an IPv6 one
 * @param range an address, or a prefix: `2001:db8:7:100::/64`
 */
export function isWithin(ip: string, range: string): boolean {
  const [first = '', length] = range.split('/');
  const list = new BlockList();
  if (length === undefined) list.addAddress(first, family(first));
  else list.addSubnet(first, Number(length), family(first));
  return list.check(ip, family(ip));
}
