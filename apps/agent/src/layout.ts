import { type DesiredKey, type DesiredSubscription, SLOTS } from '@fixpoint/contract/agent.ts';
import { address6, length6 } from '@fixpoint/contract/ipv6.ts';

/**
 * Names and numbers of a subscription and its keys in this host's kernel, all derived from the slot
 * and the key's last octet. A disagreement would send traffic into a neighbour's class.
 */

/**
 * Prefix of all tunnel devices. The firewall identifies customers' traffic by it, so no other
 * device may use it.
 */
export const TUNNEL_PREFIX = 'fpt';

/**
 * Bit that the firewall sets on every packet that arrives. Without it the kernel routes nothing to
 * or from a tunnel (`netdev/guard.ts`), so that a host without its rules is closed.
 */
export const FIREWALL_MARK = '0x04000000';

/**
 * Routing table with the IPv6 routes to tunnels, consulted only for packets with the firewall's
 * mark.
 */
export const ROUTES6 = '6464';

type Slotted = Pick<DesiredSubscription, 'slot'>;
type Prefixed = Pick<DesiredSubscription, 'prefix6'>;
type Addressed = Pick<DesiredKey, 'address'>;

/** All tunnel networks. A VPN host must not use this range otherwise. */
export const TUNNELS = '10.64.0.0/13';

export const tunnelDevice = ({ slot }: Slotted): string => `${TUNNEL_PREFIX}${slot}`;

/** Slot of a device name, or undefined when the device is not ours. */
export function slotOfDevice(name: string): number | undefined {
  const digits = name.startsWith(TUNNEL_PREFIX) ? name.slice(TUNNEL_PREFIX.length) : '';
  return /^[1-9]\d{0,3}$/.test(digits) ? Number(digits) : undefined;
}

/**
 * User and group of the slot's process only: processes of one user may read each other's memory,
 * which holds a customer's keys.
 */
export const processUid = (firstUid: number, { slot }: Slotted): number => firstUid + slot;

/** User and group of the relay. No slot has number 0. */
export const relayUid = (firstUid: number): number => firstUid;

/** User and group of probes: the one after the last slot's. */
export const probeUid = (firstUid: number): number => firstUid + SLOTS + 1;

/** Concurrent probes: a host that starts with hundreds has customers to serve meanwhile. */
export const PROBE_LANES = 4;

/**
 * Device of a probe's client, by its lane from 1. It lacks the tunnel prefix, so the firewall does
 * not treat it as a tunnel.
 */
export const probeDevice = (lane: number): string => `fpp${lane}`;

const network = ({ slot }: Slotted): string => `10.${64 + (slot >> 8)}.${slot & 0xff}`;

/** Tunnel network of a subscription: a /24 of {@link TUNNELS}. */
export const tunnelNetwork = (s: Slotted): string => `${network(s)}.0`;
/** The host's own end of the tunnel. */
export const tunnelGateway = (s: Slotted): string => `${network(s)}.1`;
/** Fixed tunnel address of a key. */
export const keyAddress = (s: Slotted, key: Addressed): string => `${network(s)}.${key.address}`;

/** Fixed public IPv6 address of a key; undefined where the subscription has no prefix. */
export const keyAddress6 = ({ prefix6 }: Prefixed, key: Addressed): string | undefined =>
  prefix6 && address6(prefix6, key.address);
/** The same address as pushed to the client: with prefix length and the other end. */
export const tunnelAddress6 = (s: Prefixed, key: Addressed): string | undefined =>
  s.prefix6 && `${keyAddress6(s, key)}/${length6(s.prefix6)} ${address6(s.prefix6, 1)}`;

/**
 * Resolver addresses inside the tunnel. They stay the same whatever the host's resolvers are, and
 * nobody answers them outside the tunnel.
 */
const RESOLVER_OCTETS = [1, 254];
export const resolverAddresses = (s: Slotted): string[] =>
  RESOLVER_OCTETS.map(octet => `${network(s)}.${octet}`);
/** Maps the last octet, as the firewall reads it, to one of the host's resolvers. */
export const resolverOf = (dns: readonly string[]): [octet: string, resolver: string][] =>
  RESOLVER_OCTETS.flatMap((octet, n) => (dns.length > 0 ? [[`0.0.0.${octet}`, dns[n % dns.length]!]] : []));

/** Keys are numbered 1..31 inside their subscription. */
const keyNumber = ({ address }: Addressed): number => address - 1;

const classId = (minor: number): string => `1:${minor.toString(16)}`;

/** Download class of a whole subscription, on its tunnel device. */
export const DOWN_ROOT = '1:1';
export const downClass = (key: Addressed): string => classId(0x10 + keyNumber(key));

/** Upload classes share the network card: 32 numbers per subscription, the first for all of it. */
const upBase = ({ slot }: Slotted): number => 0x100 + 32 * slot;
export const upRoot = (s: Slotted): string => classId(upBase(s));
export const upClass = (s: Slotted, key: Addressed): string => classId(upBase(s) + keyNumber(key));

/**
 * Connection mark of a key, by which its connections are deleted after it has disconnected; 32
 * numbers per subscription, like its classes.
 */
export const flowMark = (s: Slotted, key: Addressed): number => 32 * s.slot + keyNumber(key);
/** Mask of the subscription's part of such a mark. */
export const SUBSCRIPTION_MARK_MASK = 0xffffffe0;
/** Mark of all connections of a subscription. */
export const subscriptionMark = ({ slot }: Slotted): number => 32 * slot;
/** Marks of all present and former keys of a subscription, as number and mask. */
export const flowMarks = (s: Slotted): string => `${subscriptionMark(s)}/${SUBSCRIPTION_MARK_MASK}`;

/**
 * Names of counters. A firewall counter is named by its key, not by its address, so that a reading
 * never goes to the next owner of the address; and by the slot, whose device has counters too.
 */
export const deviceCounters = ({ slot }: Slotted) => ({ down: `d${slot}`, up: `u${slot}` });
export const downCounter = (s: Slotted, keyId: string): string => `${deviceCounters(s).down}_${keyId}`;
export const upCounter = (s: Slotted, keyId: string): string => `${deviceCounters(s).up}_${keyId}`;

/** Parses a counter name. Without a key it is the device's; undefined when it is not ours. */
export function counterOf(
  name: string,
): { device: string; keyId: string | undefined; direction: 'down' | 'up' } | undefined {
  const [, device, direction, keyId] = name.match(/^((d|u)[1-9]\d{0,3})(?:_(.+))?$/) ?? [];
  return device ? { device, keyId, direction: direction === 'd' ? 'down' : 'up' } : undefined;
}
