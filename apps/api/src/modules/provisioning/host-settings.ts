import { BlockList, isIPv4, isIPv6 } from 'node:net';
import { NOT_INTERNET, PREFIX6, SLOTS } from '@fixpoint/contract/agent.ts';
import { isInternet6 } from '@fixpoint/contract/ipv6.ts';

/** How a range of addresses is routed to a host: by the operator, or by an API call to its provider. */
export const ROUTINGS = ['static', 'hcloud'] as const;
export type Routing = (typeof ROUTINGS)[number];

/**
 * A range of public addresses and the range that hosts bind, which differs behind 1:1 NAT. An IPv6 prefix is divided equally
 * among its addresses.
 */
export type PoolRange = { prefix: string; bind: string; prefix6?: string };

export type HostSettings = {
  pools: PoolRange[];
  /** UDP port of the pools, as it is written into configuration files. */
  port: number;
  /** TCP port of the pools. Null: none. Undefined: unchanged, or the default. */
  tcpPort?: number | null;
  routing: Routing;
  dns?: string[];
  machine?: string;
  capacity?: number;
  weight?: number;
};

/** Settings as an operator writes them on the command line. */
export type WrittenSettings = Partial<
  Record<'pool' | 'port' | 'tcp' | 'routing' | 'dns' | 'machine' | 'capacity' | 'weight', string>
>;

/** Shortest prefix length of a pool: 65,536 addresses. */
const SHORTEST_PREFIX = 16;
const ID_RULE = /^[a-z0-9][a-z0-9-]{0,31}$/;
const PORT = 1194;

const notInternet = new BlockList();
for (const range of NOT_INTERNET) {
  const [network, length] = range.split('/');
  notInternet.addSubnet(network!, Number(length));
}

const numberOf = (address: string): number =>
  address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
const textOf = (address: number): string =>
  [24, 16, 8, 0].map(shift => Math.floor(address / 2 ** shift) % 256).join('.');

/** Error text for an invalid range, with the correct form. */
function wrongRange(range: string): string | undefined {
  const [, address = '', length = ''] = /^([\d.]+)\/(\d{1,2})$/.exec(range) ?? [];
  const bits = Number(length);
  if (!isIPv4(address) || length === '' || bits > 32)
    return `${range} is no range of IPv4 addresses: write it like 203.0.113.0/24, one address like 203.0.113.7/32`;
  if (bits < SHORTEST_PREFIX)
    return `${range} is too large: split it into ranges of /${SHORTEST_PREFIX} or smaller`;
  const first = numberOf(address) - (numberOf(address) % 2 ** (32 - bits));
  if (textOf(first) !== address) return `${range} does not begin there: ${textOf(first)}/${bits} does`;
  return undefined;
}

/** @throws Error when a host cannot bind this range for the sold one, with the correct form */
export function refuseWrongBind(pool: string, bind: string): void {
  const wrong = wrongRange(bind);
  if (wrong) throw new Error(`--bind ${wrong}`);
  if (pool.split('/')[1] !== bind.split('/')[1])
    throw new Error(`${pool} and ${bind} are not of the same length`);
}

/** Error texts for an IPv6 prefix of a range with this prefix length. */
function wrongPrefix6(prefix6: string, bits: number): string[] {
  const [address = '', length = ''] = prefix6.split('/');
  if (!isIPv6(address) || !/^\d{1,3}$/.test(length) || Number(length) > 128)
    return [`${prefix6} is no prefix of IPv6: write it like 2001:db8:7::/56`];
  if (!isInternet6(prefix6)) return [`${prefix6} is not a global unicast prefix, or has host bits set`];
  const longest = PREFIX6.smallest - (32 - bits);
  return Number(length) > longest
    ? [
        `${prefix6} is too small for a range of /${bits}: use /${longest} or larger, so that each address gets a part`,
      ]
    : [];
}

/** Parses `--pool`. Appends errors to `wrong`. */
function readPools(written: string, wrong: string[]): PoolRange[] {
  return written.split(',').map(part => {
    const [range = '', prefix6, ...most] = part.trim().split('+');
    const [prefix = '', bind = prefix, ...more] = range.split('=');
    const faults = [...new Set([prefix, bind])].flatMap(range => wrongRange(range) ?? []);
    if (more.length > 0 || most.length > 0)
      faults.push(`${part} is no pool: write PUBLIC/LENGTH=PRIVATE/LENGTH+IPV6/LENGTH`);
    else if (faults.length === 0 && prefix.split('/')[1] !== bind.split('/')[1])
      faults.push(`${part} is no 1:1 NAT: both ranges must be of the same length`);
    else if (faults.length === 0 && notInternet.check(prefix.split('/')[0]!))
      faults.push(
        `${prefix} is private, so clients cannot reach it. Behind 1:1 NAT write PUBLIC/LENGTH=${prefix}`,
      );
    else if (prefix6 !== undefined) faults.push(...wrongPrefix6(prefix6, Number(prefix.split('/')[1])));
    wrong.push(...faults);
    return { prefix, bind, ...(prefix6 !== undefined && { prefix6 }) };
  });
}

function readDns(written: string, wrong: string[]): string[] {
  const dns = written.split(',').map(address => address.trim());
  for (const address of dns) {
    if (!isIPv4(address)) wrong.push(`${address || 'nothing'} is no IPv4 address of a resolver`);
    else if (notInternet.check(address))
      wrong.push(`${address} is a private address: customers cannot reach a resolver there`);
  }
  if (dns.length > 4) wrong.push('--dns takes at most four resolvers');
  return dns;
}

function readNumber(name: string, written: string, most: number, wrong: string[]): number {
  const number = /^\d{1,6}$/.test(written) ? Number(written) : 0;
  if (number < 1 || number > most) wrong.push(`--${name} ${written} is invalid: use 1 to ${most}`);
  return number;
}

function readTcp(written: string, wrong: string[]): number | null {
  if (written === 'none') return null;
  const faults: string[] = [];
  const port = readNumber('tcp', written, 65_535, faults);
  wrong.push(...faults.map(fault => `${fault}, or none`));
  return port;
}

function readMachine(machine: string, routing: Routing, wrong: string[]): void {
  if (routing === 'static' && !isIPv4(machine))
    wrong.push(`--machine ${machine} is no IPv4 address: give the next hop of the route`);
  if (routing === 'hcloud' && !/^\d{1,15}$/.test(machine))
    wrong.push(`--machine ${machine} is no Hetzner server ID: copy it from the URL in the console`);
}

/**
 * Parses and checks the settings of a host.
 * @throws Error that names every wrong value at once, each with the correct form
 */
export function readHostSettings(id: string, written: WrittenSettings): HostSettings {
  const wrong: string[] = [];
  if (!ID_RULE.test(id)) wrong.push(`${id} is no host name: use a to z, 0 to 9 and -, at most 32 characters`);
  const routing = ROUTINGS.find(known => known === (written.routing ?? 'static'));
  if (!routing) wrong.push(`--routing ${written.routing} is invalid: use ${ROUTINGS.join(' or ')}`);
  const { pool, port, tcp, dns, machine, capacity, weight } = written;
  const pools = pool === undefined ? [] : readPools(pool, wrong);
  if (routing === 'hcloud') {
    for (const { prefix } of pools)
      if (!prefix.endsWith('/32')) wrong.push(`${prefix}: a floating IP is one address, a pool of /32`);
    // Hetzner ties IPv6 prefixes to the server: they would stay behind when the floating IP moves.
    if (pools.some(pool => pool.prefix6))
      wrong.push('an IPv6 prefix cannot move with a floating IP: leave it out, or use --routing static');
    if (!machine && pools.length > 0) wrong.push('--machine is missing: give the Hetzner server ID');
  }
  if (machine !== undefined && routing) readMachine(machine, routing, wrong);
  const settings = {
    pools,
    port: port === undefined ? PORT : readNumber('port', port, 65_535, wrong),
    ...(tcp !== undefined && { tcpPort: readTcp(tcp, wrong) }),
    routing: routing ?? 'static',
    ...(dns !== undefined && { dns: readDns(dns, wrong) }),
    ...(machine !== undefined && { machine }),
    ...(capacity !== undefined && { capacity: readNumber('capacity', capacity, SLOTS, wrong) }),
    ...(weight !== undefined && { weight: readNumber('weight', weight, 1000, wrong) }),
  };
  if (wrong.length > 0) throw new Error(wrong.join('; '));
  return settings;
}
