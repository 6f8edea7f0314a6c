import type { DesiredKey, DesiredSubscription } from '@fixpoint/contract/agent.ts';
import {
  downClass,
  downCounter,
  flowMark,
  keyAddress,
  keyAddress6,
  resolverOf,
  subscriptionMark,
  tunnelNetwork,
  upClass,
  upCounter,
} from '../../layout.ts';
import type { Changes, HostSet } from '../../plan.ts';
import { chainLines, type NatOptions, TABLE } from './chains.ts';

/** What the rules look up, so that a customer's change is a few elements and no rule. */
const LOOKUPS = {
  /** Tunnel network → static address that its traffic leaves with. */
  snat4: ['map', 'type ipv4_addr : ipv4_addr; flags interval;'],
  /** Tunnel address → traffic class. A key without an element has no forwarding at all. */
  downprio: ['map', 'type ipv4_addr : classid;'],
  upprio: ['map', 'type ipv4_addr : classid;'],
  downcnt: ['map', 'type ipv4_addr : counter;'],
  upcnt: ['map', 'type ipv4_addr : counter;'],
  /** The same of IPv6, where an address is the device's own: nothing is masked. */
  downprio6: ['map', 'type ipv6_addr : classid;'],
  upprio6: ['map', 'type ipv6_addr : classid;'],
  downcnt6: ['map', 'type ipv6_addr : counter;'],
  upcnt6: ['map', 'type ipv6_addr : counter;'],
  /** Tunnel address → mark of its connections. */
  marks: ['map', 'type ipv4_addr : mark;'],
  marks6: ['map', 'type ipv6_addr : mark;'],
  /** Last octet of a resolver inside the tunnels → the host's resolver. */
  resolvers: ['map', 'type ipv4_addr : ipv4_addr;'],
  /** Addresses that subscriptions have here, and the ports that each answers on. */
  sold: ['set', 'type ipv4_addr;'],
  /** Ports of them that lead to a device, and to which; and the same of what has come, by which it is let through. */
  forwards: ['map', 'type ipv4_addr . inet_service : ipv4_addr;'],
  forwarded: ['set', 'type ipv4_addr . inet_service . ipv4_addr;'],
  forwarded6: ['set', 'type ipv6_addr . inet_service;'],
  vpn: ['set', 'type ipv4_addr . inet_proto . inet_service;'],
} as const;

/**
 * Tunnel address → its connections, and those of others to it; and the same of a whole subscription, by its mark. The kernel
 * fills them; emptied, they would forget those that are there.
 */
const FLOWS = {
  flows: 'ipv4_addr',
  flows6: 'ipv6_addr',
  calls: 'ipv4_addr',
  calls6: 'ipv6_addr',
  lines: 'mark',
  called: 'mark',
} as const;
const flowSets = Object.entries(FLOWS).map(
  ([name, type]) => `add set ${TABLE} ${name} { type ${type}; size 65535; flags dynamic; }`,
);

type Verb = 'add' | 'delete';
type Lookup = keyof typeof LOOKUPS | keyof typeof FLOWS;

const element = (verb: Verb, lookup: Lookup, key: string, value?: string): string =>
  // A delete names the key alone: kernels differ in whether they compare the value.
  `${verb} element ${TABLE} ${lookup} { ${verb === 'add' && value ? `${key} : ${value}` : key} }`;

const ports = (verb: Verb, { bindAddress, port, tcpPort }: DesiredSubscription): string[] => [
  element(verb, 'vpn', `${bindAddress} . udp . ${port}`),
  ...(tcpPort ? [element(verb, 'vpn', `${bindAddress} . tcp . ${tcpPort}`)] : []),
];

const address = (verb: Verb, s: DesiredSubscription): string[] => [
  element(verb, 'snat4', `${tunnelNetwork(s)}/24`, s.bindAddress),
  element(verb, 'sold', s.bindAddress),
  ...ports(verb, s),
];

/** The port that leads to a device, of both families. */
const forwards = (verb: Verb, s: DesiredSubscription): string[] =>
  s.keys.flatMap(key => {
    const { forwardedPort } = key;
    if (!forwardedPort) return [];
    const [tunnel, address6] = [keyAddress(s, key), keyAddress6(s, key)];
    const came = `${s.bindAddress} . ${forwardedPort}`;
    return [
      element(verb, 'forwards', came, tunnel),
      element(verb, 'forwarded', `${came} . ${tunnel}`),
      ...(address6 ? [element(verb, 'forwarded6', `${address6} . ${forwardedPort}`)] : []),
    ];
  });

/** A key's addresses, with what lookups of their family end with. */
function tunnelAddresses(s: DesiredSubscription, key: DesiredKey): ['' | '6', string][] {
  const address6 = keyAddress6(s, key);
  return [['', keyAddress(s, key)], ...(address6 ? [['6', address6] as ['6', string]] : [])];
}

const resolvers = (dns: readonly string[]): string[] =>
  resolverOf(dns).map(([octet, resolver]) => element('add', 'resolvers', octet, resolver));

function keyElements(verb: Verb, s: DesiredSubscription, key: DesiredKey): string[] {
  return tunnelAddresses(s, key).flatMap(([family, tunnel]) => [
    element(verb, `downcnt${family}`, tunnel, `"${downCounter(s, key.id)}"`),
    element(verb, `upcnt${family}`, tunnel, `"${upCounter(s, key.id)}"`),
    element(verb, `downprio${family}`, tunnel, downClass(key)),
    element(verb, `upprio${family}`, tunnel, upClass(s, key)),
    element(verb, `marks${family}`, tunnel, String(flowMark(s, key))),
  ]);
}

const counters = (verb: Verb, s: DesiredSubscription, key: DesiredKey): string[] => [
  `${verb} counter ${TABLE} ${downCounter(s, key.id)}`,
  `${verb} counter ${TABLE} ${upCounter(s, key.id)}`,
];

/** Only the kernel knows whether it is in the set; added first, it can be taken out. */
const removeIfPresent = (lookup: keyof typeof FLOWS, key: string): string[] => [
  element('add', lookup, key),
  element('delete', lookup, key),
];
const forgetFlows = (s: DesiredSubscription, key: DesiredKey): string[] =>
  tunnelAddresses(s, key).flatMap(([family, address]) =>
    (['flows', 'calls'] as const).flatMap(kind => removeIfPresent(`${kind}${family}`, address)),
  );

/** Elements point at counters, so a counter comes before its elements and goes after them. */
const addKey = (s: DesiredSubscription, key: DesiredKey) => [
  ...counters('add', s, key),
  ...keyElements('add', s, key),
];
const removeKey = (s: DesiredSubscription, key: DesiredKey) => [
  ...forgetFlows(s, key),
  ...keyElements('delete', s, key),
  ...counters('delete', s, key),
];

const addSubscription = (s: DesiredSubscription) => [
  ...address('add', s),
  ...s.keys.flatMap(key => addKey(s, key)),
  ...forwards('add', s),
];
const removeSubscription = (s: DesiredSubscription) => [
  ...address('delete', s),
  ...forwards('delete', s),
  ...s.keys.flatMap(key => removeKey(s, key)),
  ...(['lines', 'called'] as const).flatMap(lookup => removeIfPresent(lookup, String(subscriptionMark(s)))),
];

const keyCounters = (set: HostSet): string[] =>
  set.subscriptions.flatMap(s => s.keys.flatMap(key => [downCounter(s, key.id), upCounter(s, key.id)]));

/**
 * The whole table, as one transaction that gives the same result whatever was there: packets never see a half of it.
 * @param existing counters in the kernel; those of keys that stay keep their value
 */
export function resetRuleset(set: HostSet, options: NatOptions, existing: Iterable<string>): string[] {
  const wanted = new Set(keyCounters(set));
  return [
    `add table ${TABLE}`,
    ...Object.entries(LOOKUPS).flatMap(([name, [kind, type]]) => [
      `add ${kind} ${TABLE} ${name} { ${type} }`,
      `flush ${kind} ${TABLE} ${name}`,
    ]),
    ...flowSets,
    ...chainLines(options),
    ...[...existing].filter(name => !wanted.has(name)).map(name => `delete counter ${TABLE} ${name}`),
    ...resolvers(set.dns),
    ...set.subscriptions.flatMap(addSubscription),
  ];
}

/** The same where something stands in its way: all of it goes in the same moment, never open between. Counters begin at 0. */
export const freshRuleset = (set: HostSet, options: NatOptions): string[] => [
  `add table ${TABLE}`,
  `delete table ${TABLE}`,
  ...resetRuleset(set, options, []),
];

const ELEMENT = /^add element inet fixpoint (\w+) \{ (.+) \}$/;

/** What lookups shall hold, each line `lookup key : value`. */
export const wantedElements = (set: HostSet): string[] =>
  [...resolvers(set.dns), ...set.subscriptions.flatMap(addSubscription)].flatMap(line => {
    const [, lookup, element] = line.match(ELEMENT) ?? [];
    return lookup ? [`${lookup} ${element!.replaceAll('"', '')}`] : [];
  });

/** A part of an element as `nft -j` tells it. */
type ListedElement =
  | string
  | number
  | { concat: ListedElement[] }
  | { prefix: { addr: string; len: number } }
  | ListedElement[];
/** A set or map as `nft -j` tells it. */
export type ListedLookup = { name: string; elem?: ListedElement[] };

function elementText(listed: ListedElement): string {
  if (Array.isArray(listed)) return listed.map(elementText).join(' : ');
  if (typeof listed !== 'object') return String(listed);
  if ('prefix' in listed) return `${listed.prefix.addr}/${listed.prefix.len}`;
  return listed.concat.map(elementText).join(' . ');
}

/** The same of what the kernel holds. Of connections it holds what it likes. */
export const actualElements = (lookups: readonly ListedLookup[]): string[] =>
  lookups
    .filter(({ name }) => !Object.hasOwn(FLOWS, name))
    .flatMap(({ name, elem = [] }) => elem.map(listed => `${name} ${elementText(listed)}`));

/**
 * Marks of connections whose key a table knows and a set does not, also where another key has its address now.
 * @param actual what the table holds
 */
export function removedMarks(actual: readonly string[], set: HostSet): string[] {
  const wanted = new Set(wantedElements(set));
  const gone = new Set(
    actual.flatMap(line => (wanted.has(line) ? [] : (line.match(/^downcnt6? (\S+) /)?.[1] ?? []))),
  );
  const marks = actual.flatMap(line => {
    const [, address, mark] = line.match(/^marks6? (\S+) : (\d+)$/) ?? [];
    return mark && gone.has(address!) ? [mark] : [];
  });
  return [...new Set(marks)];
}

/** Only what differs; removals first, because an added key may take a removed one's address. */
export const changedRuleset = ({ removed, changed, added, dns }: Changes): string[] => {
  const moved = changed.filter(k => k.portsChanged);
  const led = changed.filter(k => k.forwardsChanged);
  return [
    ...removed.flatMap(removeSubscription),
    ...moved.flatMap(k => ports('delete', k.before)),
    ...led.flatMap(k => forwards('delete', k.before)),
    ...changed.flatMap(k => k.removedKeys.flatMap(key => removeKey(k.before, key))),
    ...changed.flatMap(k => k.addedKeys.flatMap(key => addKey(k.now, key))),
    ...moved.flatMap(k => ports('add', k.now)),
    ...led.flatMap(k => forwards('add', k.now)),
    ...added.flatMap(addSubscription),
    ...(dns ? [`flush map ${TABLE} resolvers`, ...resolvers(dns)] : []),
  ];
};
