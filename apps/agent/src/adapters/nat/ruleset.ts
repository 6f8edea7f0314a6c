import type { DesiredKey, DesiredSubscription } from '@fixpoint/contract/agent.ts';
import {
  downClass,
  downCounter,
  keyAddress,
  TUNNEL_PREFIX,
  tunnelNetwork,
  upClass,
  upCounter,
} from '../../layout.ts';
import type { Changes, HostSet } from '../../plan.ts';

/** The one table of ours; the operator's own tables stay untouched. */
export const TABLE = 'inet fixpoint';

const MAPS = {
  /** Tunnel network → static address that its traffic leaves with. */
  snat4: '{ type ipv4_addr : ipv4_addr; flags interval; }',
  /** Tunnel address → traffic class. A key without an element has no forwarding at all. */
  downprio: '{ type ipv4_addr : classid; }',
  upprio: '{ type ipv4_addr : classid; }',
  downcnt: '{ type ipv4_addr : counter; }',
  upcnt: '{ type ipv4_addr : counter; }',
} as const;

type Verb = 'add' | 'delete';

const element = (verb: Verb, map: keyof typeof MAPS, key: string, value: string): string =>
  // A delete names the key alone: kernels differ in whether they compare the value.
  `${verb} element ${TABLE} ${map} { ${verb === 'add' ? `${key} : ${value}` : key} }`;

const network = (verb: Verb, s: DesiredSubscription): string =>
  element(verb, 'snat4', `${tunnelNetwork(s)}/24`, s.bindAddress);

function keyElements(verb: Verb, s: DesiredSubscription, key: DesiredKey): string[] {
  const address = keyAddress(s, key);
  return [
    element(verb, 'downcnt', address, `"${downCounter(key.id)}"`),
    element(verb, 'upcnt', address, `"${upCounter(key.id)}"`),
    element(verb, 'downprio', address, downClass(key)),
    element(verb, 'upprio', address, upClass(s, key)),
  ];
}

const counters = (verb: Verb, key: DesiredKey): string[] => [
  `${verb} counter ${TABLE} ${downCounter(key.id)}`,
  `${verb} counter ${TABLE} ${upCounter(key.id)}`,
];

/** Elements point at counters, so a counter comes before its elements and goes after them. */
const addKey = (s: DesiredSubscription, key: DesiredKey) => [
  ...counters('add', key),
  ...keyElements('add', s, key),
];
const removeKey = (s: DesiredSubscription, key: DesiredKey) => [
  ...keyElements('delete', s, key),
  ...counters('delete', key),
];

const addSubscription = (s: DesiredSubscription) => [
  network('add', s),
  ...s.keys.flatMap(key => addKey(s, key)),
];
const removeSubscription = (s: DesiredSubscription) => [
  network('delete', s),
  ...s.keys.flatMap(key => removeKey(s, key)),
];

/**
 * Chains of the table. Forwarding is closed by default: a tunnel reaches the network card and nothing else, neither
 * another tunnel nor the host itself, and only for addresses that have a class.
 */
function chains(wan: string): string[] {
  const tunnel = `"${TUNNEL_PREFIX}*"`;
  const down = `iifname "${wan}" oifname ${tunnel} ct state established,related`;
  const up = `iifname ${tunnel} oifname "${wan}"`;
  const rules = {
    forward: [
      `iifname ${tunnel} oifname ${tunnel} drop`,
      `${up} counter name ip saddr map @upcnt`,
      `${up} meta priority set ip saddr map @upprio accept`,
      `${down} counter name ip daddr map @downcnt`,
      `${down} meta priority set ip daddr map @downprio accept`,
    ],
    input: [`iifname ${tunnel} drop`],
    post: [`oifname "${wan}" snat ip to ip saddr map @snat4`],
  };
  const hooks = {
    forward: '{ type filter hook forward priority 0; policy drop; }',
    input: '{ type filter hook input priority 0; policy accept; }',
    post: '{ type nat hook postrouting priority srcnat; policy accept; }',
  };
  return (['forward', 'input', 'post'] as const).flatMap(chain => [
    `add chain ${TABLE} ${chain} ${hooks[chain]}`,
    `flush chain ${TABLE} ${chain}`,
    ...rules[chain].map(rule => `add rule ${TABLE} ${chain} ${rule}`),
  ]);
}

/**
 * The whole table, as one transaction that gives the same result whatever was there: packets never see a half of it.
 * @param existing counters in the kernel; those of keys that stay keep their value
 */
export function resetRuleset(set: HostSet, wan: string, existing: Iterable<string>): string[] {
  const maps = Object.entries(MAPS);
  const wanted = new Set(
    set.subscriptions.flatMap(s => s.keys.flatMap(key => [downCounter(key.id), upCounter(key.id)])),
  );
  return [
    `add table ${TABLE}`,
    ...maps.flatMap(([name, type]) => [`add map ${TABLE} ${name} ${type}`, `flush map ${TABLE} ${name}`]),
    ...chains(wan),
    ...[...existing].filter(name => !wanted.has(name)).map(name => `delete counter ${TABLE} ${name}`),
    ...set.subscriptions.flatMap(addSubscription),
  ];
}

/** Only what differs; removals first, because an added key may take a removed one's address. */
export const changedRuleset = (changes: Changes): string[] => [
  ...changes.removed.flatMap(removeSubscription),
  ...changes.kept.flatMap(k => k.removedKeys.flatMap(key => removeKey(k.before, key))),
  ...changes.kept.flatMap(k => k.addedKeys.flatMap(key => addKey(k.now, key))),
  ...changes.added.flatMap(addSubscription),
];
