import type { DesiredKey, DesiredSubscription } from '@fixpoint/contract/agent.ts';
import { DOWN_ROOT, downClass, tunnelDevice, upClass, upRoot } from '../../layout.ts';
import { type Changes, EMPTY, type HostSet, plan } from '../../plan.ts';

export type Leaf = 'fq_codel' | 'bfifo';

/** Queue length of a leaf in ms at its full rate: longer adds delay, shorter loses throughput. */
const QUEUE_MS = 40;

const bytes = (mbit: number, milliseconds: number): number =>
  Math.round((mbit * 125_000 * milliseconds) / 1000);
const kbit = (mbit: number): string => `${Math.max(8, Math.round(mbit * 1000))}kbit`;

/** @param rate guaranteed share and @param ceil upper limit, both in Mbit/s */
function htb(rate: number, ceil: number): string {
  const burst = Math.max(6000, bytes(ceil, 2));
  const cburst = Math.max(3000, bytes(ceil, 1));
  return `htb rate ${kbit(rate)} ceil ${kbit(ceil)} burst ${burst} cburst ${cburst} quantum 3000`;
}

const queue = (leaf: Leaf, ceil: number): string =>
  leaf === 'fq_codel'
    ? 'fq_codel'
    : `bfifo limit ${Math.min(2_500_000, Math.max(15_000, bytes(ceil, QUEUE_MS)))}`;

/**
 * Root of a device. Unclassified traffic is unshaped; on the card that is the encrypted side of the
 * tunnels.
 */
export const rootLine = (device: string): string =>
  `qdisc replace dev ${device} root handle 1: htb default 0`;

type Options = { wan: string; leaf: Leaf };
const ends = (s: DesiredSubscription, { wan }: Pick<Options, 'wan'>) => [
  { device: tunnelDevice(s), root: DOWN_ROOT, of: downClass },
  { device: wan, root: upRoot(s), of: (key: DesiredKey) => upClass(s, key) },
];

/**
 * Sets the rate of a whole subscription in both directions, for a new one and while traffic flows.
 */
const subscriptionLines = (s: DesiredSubscription, options: Options): string[] =>
  ends(s, options).map(
    ({ device, root }) =>
      `class replace dev ${device} parent 1: classid ${root} ${htb(s.rateMbit, s.rateMbit)}`,
  );

/**
 * More keys than a subscription can have: the sum of their guaranteed shares must stay below the
 * line rate.
 */
const KEYS = 32;

/**
 * Sets a key's share and limit in both directions. A part is guaranteed, and the rest is borrowed
 * evenly.
 */
function keyLines(s: DesiredSubscription, key: DesiredKey, options: Options): string[] {
  const ceil = Math.min(key.rateMbit ?? s.rateMbit, s.rateMbit);
  return ends(s, options).flatMap(({ device, root, of }) => [
    `class replace dev ${device} parent ${root} classid ${of(key)} ${htb(ceil / KEYS, ceil)}`,
    `qdisc replace dev ${device} parent ${of(key)} ${queue(options.leaf, ceil)}`,
  ]);
}

const removeKeyLines = (s: DesiredSubscription, key: DesiredKey, options: Options): string[] =>
  ends(s, options).map(({ device, of }) => `class del dev ${device} classid ${of(key)}`);

/** Removes classes on the card; those on the tunnel device vanish with it. */
const removeSubscriptionLines = (s: DesiredSubscription, { wan }: Options): string[] => [
  ...s.keys.map(key => `class del dev ${wan} classid ${upClass(s, key)}`),
  `class del dev ${wan} classid ${upRoot(s)}`,
];

/** Rounds a rate in kbit/s for comparison: `tc` shows large ones in thousands, truncated. */
const compared = (kbit: number): string => kbit.toPrecision(3);

const CLASS = /^class replace dev (\S+) parent \S+ classid (\S+) htb rate (\d+)kbit ceil (\d+)kbit /;

/** Expected roots and classes, each as `device root` or `device class rate ceil`. */
export const wantedClasses = (set: HostSet, options: Options): string[] => [
  ...[options.wan, ...set.subscriptions.map(tunnelDevice)].map(device => `${device} root`),
  ...shaperLines(plan(EMPTY, set), options).flatMap(line => {
    const [, device, id, rate, ceil] = line.match(CLASS) ?? [];
    return id ? [`${device} ${id} ${compared(Number(rate))} ${compared(Number(ceil))}`] : [];
  }),
];

/** Lines of `tc -batch` that list the classes of devices, each preceded by its device. */
export const askClasses = (devices: readonly string[]): string[] =>
  devices.flatMap(device => [`qdisc show dev ${device}`, `class show dev ${device}`]);

const LISTED_CLASS = /^class htb (1:[0-9a-f]+) .*?rate (\d+)([KMGT]?)bit ceil (\d+)([KMGT]?)bit /;
const listedKbit = (number: string, unit: string): string =>
  compared(Number(number) * 1000 ** ('KMGT'.indexOf(unit || 'K') - (unit ? 0 : 1)));

/** Actual roots and classes in the same format. A device without the root qdisc has none. */
export function actualClasses(listing: string, devices: readonly string[]): string[] {
  let device: string | undefined;
  const rest = [...devices];
  return listing.split('\n').flatMap(line => {
    if (line.startsWith('qdisc htb 1: root')) {
      device = rest.shift();
      return [`${device} root`];
    }
    const [, id, rate = '', by = '', ceil = '', to = ''] = line.match(LISTED_CLASS) ?? [];
    return device && id ? [`${device} ${id} ${listedKbit(rate, by)} ${listedKbit(ceil, to)}`] : [];
  });
}

/** Classes that no subscription has, regardless of rates, each as `device class`. */
export function strayClasses(actual: readonly string[], wanted: readonly string[]): string[] {
  const named = (classes: readonly string[]) => classes.map(each => each.split(' ', 2).join(' '));
  const known = new Set(named(wanted));
  return named(actual).filter(each => !known.has(each));
}

/**
 * Lines of `tc -batch` that remove classes (`device class`). Keys' classes have higher numbers and
 * go before their root.
 */
export const removeClasses = (classes: readonly string[]): string[] =>
  classes
    .map(each => each.split(' 1:') as [string, string])
    .sort(([, a], [, b]) => Number.parseInt(b, 16) - Number.parseInt(a, 16))
    .map(([device, minor]) => `class del dev ${device} classid 1:${minor}`);

/** Lines of `tc -batch` for the changes, except the roots of new devices. */
export const shaperLines = (changes: Changes, options: Options): string[] => [
  ...changes.removed.flatMap(s => removeSubscriptionLines(s, options)),
  ...changes.changed.flatMap(k => k.removedKeys.flatMap(key => removeKeyLines(k.before, key, options))),
  ...changes.added.flatMap(s => subscriptionLines(s, options)),
  ...changes.added.flatMap(s => s.keys.flatMap(key => keyLines(s, key, options))),
  ...changes.changed.flatMap(k =>
    k.rateChanged
      ? [...subscriptionLines(k.now, options), ...k.now.keys.flatMap(key => keyLines(k.now, key, options))]
      : k.addedKeys.flatMap(key => keyLines(k.now, key, options)),
  ),
];
