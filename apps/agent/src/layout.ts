import { type DesiredKey, type DesiredSubscription, SLOTS } from '@fixpoint/contract/agent.ts';
import { address6, length6 } from '@fixpoint/contract/ipv6.ts';

/**
 * Names and numbers that a subscription and its keys have in this host's kernel, all derived from the slot and the
 * key's last octet. Two places that disagree here would send traffic into a neighbour's class.
 */

/** Prefix of all tunnel devices: the firewall tells customers' traffic by it, so nothing else may be named so. */
export const TUNNEL_PREFIX = 'fpt';

/**
 * Bit that the firewall sets on every packet that it has seen arrive. Without it the kernel routes nothing from or to a
 * tunnel (`netdev/guard.ts`), so that a host whose rules are gone is closed and not open.
 */
export const FIREWALL_MARK = '0x04000000';

/** Table of the kernel that has the IPv6 routes to tunnels: read only for packets that the firewall has seen. */
export const ROUTES6 = '6464';

type Slotted = Pick<DesiredSubscription, 'slot'>;
type Prefixed = Pick<DesiredSubscription, 'prefix6'>;
type Addressed = Pick<DesiredKey, 'address'>;

/** All tunnel networks. A VPN host has no other network in it. */
export const TUNNELS = '10.64.0.0/13';

export const tunnelDevice = ({ slot }: Slotted): string => `${TUNNEL_PREFIX}${slot}`;

/** Slot of a device name, or undefined when the device is not ours. */
export function slotOfDevice(name: string): number | undefined {
  const digits = name.startsWith(TUNNEL_PREFIX) ? name.slice(TUNNEL_PREFIX.length) : '';
  return /^[1-9]\d{0,3}$/.test(digits) ? Number(digits) : undefined;
}

/**
 * User and group of the slot's process, which no other has: processes of one user may read each other's memory, and in
 * it are a customer's keys.
 */
export const processUid = (firstUid: number, { slot }: Slotted): number => firstUid + slot;

/** User and group of the relay, which is nobody's slot. */
export const relayUid = (firstUid: number): number => firstUid;

/** User and group of probes: the one after the last slot's. */
export const probeUid = (firstUid: number): number => firstUid + SLOTS + 1;

/** So many probes at the same time: a host that begins with hundreds has customers to serve meanwhile. */
export const PROBE_LANES = 4;

/** Device of a probe's client, by its lane from 1. Of another name than a tunnel: the firewall takes it for none. */
export const probeDevice = (lane: number): string => `fpp${lane}`;

const network = ({ slot }: Slotted): string => `10.${64 + (slot >> 8)}.${slot & 0xff}`;

/** Tunnel network of a subscription: a /24 of {@link TUNNELS}. */
export const tunnelNetwork = (s: Slotted): string => `${network(s)}.0`;
/** The host's own end of the tunnel. */
export const tunnelGateway = (s: Slotted): string => `${network(s)}.1`;
/** Fixed tunnel address of a key. */
export const keyAddress = (s: Slotted, key: Addressed): string => `${network(s)}.${key.address}`;

/** Fixed IPv6 address of a key, the internet's as it is; undefined where the subscription has no prefix. */
export const keyAddress6 = ({ prefix6 }: Prefixed, key: Addressed): string | undefined =>
  prefix6 && address6(prefix6, key.address);
/** The same as a client is told it: with the length of its network, and the other end. */
export const tunnelAddress6 = (s: Prefixed, key: Addressed): string | undefined =>
  s.prefix6 && `${keyAddress6(s, key)}/${length6(s.prefix6)} ${address6(s.prefix6, 1)}`;

/**
 * Resolvers as clients know them: addresses inside the tunnel that stay the same whatever the host's resolvers are, and
 * that nobody answers beside it.
 */
const RESOLVER_OCTETS = [1, 254];
export const resolverAddresses = (s: Slotted): string[] =>
  RESOLVER_OCTETS.map(octet => `${network(s)}.${octet}`);
/** Which of the host's resolvers each is led to, by the last octet as the firewall reads it. */
export const resolverOf = (dns: readonly string[]): [octet: string, resolver: string][] =>
  RESOLVER_OCTETS.flatMap((octet, n) => (dns.length > 0 ? [[`0.0.0.${octet}`, dns[n % dns.length]!]] : []));

/** Keys are numbered 1..31 inside their subscription. */
const keyNumber = ({ address }: Addressed): number => address - 1;

const classId = (minor: number): string => `1:${minor.toString(16)}`;

/** Class of a whole subscription for downloads, on its tunnel device. */
export const DOWN_ROOT = '1:1';
export const downClass = (key: Addressed): string => classId(0x10 + keyNumber(key));

/** Classes for uploads share the network card: 32 numbers a subscription, the first for the whole of it. */
const upBase = ({ slot }: Slotted): number => 0x100 + 32 * slot;
export const upRoot = (s: Slotted): string => classId(upBase(s));
export const upClass = (s: Slotted, key: Addressed): string => classId(upBase(s) + keyNumber(key));

/**
 * Mark of a key's connections in the kernel's table, by which they are found when it has left; 32 numbers a subscription, as
 * its classes have.
 */
export const flowMark = (s: Slotted, key: Addressed): number => 32 * s.slot + keyNumber(key);
/** The part of such a mark that is the subscription's. */
export const SUBSCRIPTION_MARK_MASK = 0xffffffe0;
/** Mark of all of a subscription's connections. */
export const subscriptionMark = ({ slot }: Slotted): number => 32 * slot;
/** Marks of all keys that a subscription has or had: number and mask. */
export const flowMarks = (s: Slotted): string => `${subscriptionMark(s)}/${SUBSCRIPTION_MARK_MASK}`;

/**
 * Names of what is counted. A key's counters in the firewall are named by it and not by its address, so that a reading can
 * never be booked to the next owner of an address; and by the slot, whose device has counters too.
 */
export const deviceCounters = ({ slot }: Slotted) => ({ down: `d${slot}`, up: `u${slot}` });
export const downCounter = (s: Slotted, keyId: string): string => `${deviceCounters(s).down}_${keyId}`;
export const upCounter = (s: Slotted, keyId: string): string => `${deviceCounters(s).up}_${keyId}`;

/** What a counter counts; without a key it is its device's. Undefined for one that is not ours. */
export function counterOf(
  name: string,
): { device: string; keyId: string | undefined; direction: 'down' | 'up' } | undefined {
  const [, device, direction, keyId] = name.match(/^((d|u)[1-9]\d{0,3})(?:_(.+))?$/) ?? [];
  return device ? { device, keyId, direction: direction === 'd' ? 'down' : 'up' } : undefined;
}
