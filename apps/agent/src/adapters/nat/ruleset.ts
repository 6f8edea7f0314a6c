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

/** Sets and maps used by the rules, so that a customer's change adds elements and no rules. */
const LOOKUPS = {
  /** Tunnel network → static source address. */
  snat4: ['map', 'type ipv4_addr : ipv4_addr; flags interval;'],
  /** Tunnel address → traffic class. A key without an element has no forwarding at all. */
  downprio: ['map', 'type ipv4_addr : classid;'],
  upprio: ['map', 'type ipv4_addr : classid;'],
  downcnt: ['map', 'type ipv4_addr : counter;'],
  upcnt: ['map', 'type ipv4_addr : counter;'],
  /** The same for IPv6, where addresses are public: no address translation. */
  downprio6: ['map', 'type ipv6_addr : classid;'],
  upprio6: ['map', 'type ipv6_addr : classid;'],
  downcnt6: ['map', 'type ipv6_addr : counter;'],
  upcnt6: ['map', 'type ipv6_addr : counter;'],
  /** Tunnel address → mark of its connections. */
  marks: ['map', 'type ipv4_addr : mark;'],
  marks6: ['map', 'type ipv6_addr : mark;'],
  /** Last octet of a resolver inside the tunnels → the host's resolver. */
  resolvers: ['map', 'type ipv4_addr : ipv4_addr;'],
  /** Sold addresses, and the ports that each answers on. */
  sold: ['set', 'type ipv4_addr;'],
  /** Forwarded ports with their device; and the forwarded connections that are accepted. */
  forwards: ['map', 'type ipv4_addr . inet_service : ipv4_addr;'],
  forwarded: ['set', 'type ipv4_addr . inet_service . ipv4_addr;'],
  forwarded6: ['set', 'type ipv6_addr . inet_service;'],
  vpn: ['set', 'type ipv4_addr . inet_proto . inet_service;'],
} as const;

/**
 * Counters of connections: outgoing and incoming by tunnel address, and by subscription mark. The
 * kernel fills them; flushing them would lose existing connections.
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
  // A delete names only the key: kernels differ in whether they compare the value.
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

/** Elements of forwarded ports, for both families. */
const forwards = (verb: Verb, s: DesiredSubscription): string[] =>
  s.keys.flatMap(key => {
    const { forwardedPort } = key;
    if (!forwardedPort) return [];
    const [tunnel, address6] = [keyAddress(s, key), keyAddress6(s, key)];
    const publicEndpoint = `${s.bindAddress} . ${forwardedPort}`;
    return [
      element(verb, 'forwards', publicEndpoint, tunnel),
      element(verb, 'forwarded', `${publicEndpoint} . ${tunnel}`),
      ...(address6 ? [element(verb, 'forwarded6', `${address6} . ${forwardedPort}`)] : []),
    ];
  });

/** A key's tunnel addresses, each with the suffix of its family's lookups. */
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

/** Adds the element before deleting it, since deleting a missing one fails. */
const removeIfPresent = (lookup: keyof typeof FLOWS, key: string): string[] => [
  element('add', lookup, key),
  element('delete', lookup, key),
];
const forgetFlows = (s: DesiredSubscription, key: DesiredKey): string[] =>
  tunnelAddresses(s, key).flatMap(([family, address]) =>
    (['flows', 'calls'] as const).flatMap(kind => removeIfPresent(`${kind}${family}`, address)),
  );

/** Elements refer to counters, so a counter is added before its elements and deleted after them. */
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
 * The whole table as one transaction, independent of its previous state: packets never see a
 * partial one.
 * @param existing counters in the kernel; those of remaining keys keep their value
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

/**
 * Recreates the table when a reset is impossible, in one transaction without an open moment.
 * Counters restart at 0.
 */
export const freshRuleset = (set: HostSet, options: NatOptions): string[] => [
  `add table ${TABLE}`,
  `delete table ${TABLE}`,
  ...resetRuleset(set, options, []),
];

const ELEMENT = /^add element inet fixpoint (\w+) \{ (.+) \}$/;

/** Expected elements of all lookups, as `lookup key : value`. */
export const wantedElements = (set: HostSet): string[] =>
  [...resolvers(set.dns), ...set.subscriptions.flatMap(addSubscription)].flatMap(line => {
    const [, lookup, element] = line.match(ELEMENT) ?? [];
    return lookup ? [`${lookup} ${element!.replaceAll('"', '')}`] : [];
  });

/** Part of an element as listed by `nft -j`. */
type ListedElement =
  | string
  | number
  | { concat: ListedElement[] }
  | { prefix: { addr: string; len: number } }
  | ListedElement[];
/** Set or map as listed by `nft -j`. */
export type ListedLookup = { name: string; elem?: ListedElement[] };

function elementText(listed: ListedElement): string {
  if (Array.isArray(listed)) return listed.map(elementText).join(' : ');
  if (typeof listed !== 'object') return String(listed);
  if ('prefix' in listed) return `${listed.prefix.addr}/${listed.prefix.len}`;
  return listed.concat.map(elementText).join(' . ');
}

/** Actual elements in the same format, without connection counters. */
export const actualElements = (lookups: readonly ListedLookup[]): string[] =>
  lookups
    .filter(({ name }) => !Object.hasOwn(FLOWS, name))
    .flatMap(({ name, elem = [] }) => elem.map(listed => `${name} ${elementText(listed)}`));

/**
 * Marks of connections whose key the table knows and the set does not, even if another key has its
 * address now.
 * @param actual elements of the table
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

/**
 * The difference only. Removals come first, because an added key may reuse a removed one's address.
 */
export const changedRuleset = ({ removed, changed, added, dns }: Changes): string[] => {
  const rebound = changed.filter(k => k.portsChanged);
  const reforwarded = changed.filter(k => k.forwardsChanged);
  return [
    ...removed.flatMap(removeSubscription),
    ...rebound.flatMap(k => ports('delete', k.before)),
    ...reforwarded.flatMap(k => forwards('delete', k.before)),
    ...changed.flatMap(k => k.removedKeys.flatMap(key => removeKey(k.before, key))),
    ...changed.flatMap(k => k.addedKeys.flatMap(key => addKey(k.now, key))),
    ...rebound.flatMap(k => ports('add', k.now)),
    ...reforwarded.flatMap(k => forwards('add', k.now)),
    ...added.flatMap(addSubscription),
    ...(dns ? [`flush map ${TABLE} resolvers`, ...resolvers(dns)] : []),
  ];
};
