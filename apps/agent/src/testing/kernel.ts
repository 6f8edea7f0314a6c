import { changedRuleset, resetRuleset } from '../adapters/nat/ruleset.ts';
import { addLines, removeLines } from '../adapters/netdev/lines.ts';
import { shaperLines } from '../adapters/shaper/classes.ts';
import { tunnelDevice } from '../layout.ts';
import { EMPTY, type HostSet, plan } from '../plan.ts';

/**
 * Simulated kernels for the lines of `nft`, `tc` and `ip`, as strict as the real ones: they refuse
 * to add what exists with another value and to delete what does not exist. Every change between two
 * sets must give the same kernel as starting with the second.
 */
const fail = (line: string) => {
  throw new Error(`the kernel refuses: ${line}`);
};

function firewall() {
  const counters = new Set<string>();
  const elements = new Map<string, string>();
  const used = (name: string) => [...elements.values()].includes(`"${name}"`);
  return {
    run(lines: readonly string[]) {
      for (const line of lines) {
        const flush = line.match(/^flush (?:map|set) inet fixpoint (\w+)$/);
        const counter = line.match(/^(add|delete) counter inet fixpoint (\w+)$/);
        const element = line.match(
          /^(add|delete) element inet fixpoint (\w+) \{ (\S+(?: \. \S+)*)(?: : (\S+))? \}$/,
        );
        if (flush)
          for (const key of elements.keys()) if (key.startsWith(`${flush[1]} `)) elements.delete(key);
        if (counter?.[1] === 'add') counters.add(counter[2]!);
        if (counter?.[1] === 'delete') {
          if (used(counter[2]!) || !counters.delete(counter[2]!)) fail(line);
        }
        if (element) {
          const key = `${element[2]} ${element[3]}`;
          const named = element[4]?.match(/^"(\w+)"$/)?.[1];
          if (named && !counters.has(named)) fail(line);
          const value = element[4] ?? '';
          if (element[1] === 'add' && (elements.get(key) ?? value) !== value) fail(line);
          if (element[1] === 'add') elements.set(key, value);
          else if (!elements.delete(key)) fail(line);
        }
      }
    },
    counters,
    state: () => ({ counters: [...counters].sort(), elements: [...elements].sort() }),
  };
}

function traffic() {
  const classes = new Map<string, string>();
  return {
    run(lines: readonly string[]) {
      for (const line of lines) {
        const replace = line.match(/^class replace dev (\S+) parent (\S+) classid (\S+) (.*)$/);
        const queue = line.match(/^qdisc replace dev (\S+) parent (\S+) (.*)$/);
        const remove = line.match(/^class del dev (\S+) classid (\S+)$/);
        if (replace) {
          const [, device, parent, id, rest] = replace;
          if (parent !== '1:' && !classes.has(`${device} ${parent}`)) fail(line);
          classes.set(`${device} ${id}`, `${parent} ${rest}`);
        } else if (queue) {
          if (!classes.has(`${queue[1]} ${queue[2]}`)) fail(line);
          classes.set(`${queue[1]} ${queue[2]} queue`, queue[3]!);
        } else if (remove) {
          const key = `${remove[1]} ${remove[2]}`;
          const children = [...classes].some(
            ([id, value]) => id.startsWith(`${remove[1]} `) && value.startsWith(`${remove[2]} `),
          );
          if (children || !classes.delete(key)) fail(line);
          classes.delete(`${key} queue`);
        } else fail(line);
      }
    },
    /** Effect of deleting a device. */
    deleteDevice(device: string) {
      for (const key of classes.keys()) if (key.startsWith(`${device} `)) classes.delete(key);
    },
    /** Lists a device's classes like `tc`. */
    listing: (device: string) =>
      [...classes].flatMap(([key, value]) => {
        const [, id] = key.match(new RegExp(`^${device} (\\S+)$`)) ?? [];
        const [, rate, ceil] = value.match(/ rate (\d+)kbit ceil (\d+)kbit /) ?? [];
        return id
          ? [`class htb ${id} root rate ${formatRate(rate!)} ceil ${formatRate(ceil!)} burst 6000b`]
          : [];
      }),
    state: () => [...classes].sort(),
  };
}

/** Formats a rate like `tc`. */
function formatRate(kbit: string): string {
  let rate = Number(kbit);
  for (const unit of ['Kbit', 'Mbit']) {
    if (rate < 1000 || (rate % 1000 !== 0 && rate < 1_000_000)) return `${rate}${unit}`;
    rate = Math.floor(rate / 1000);
  }
  return `${rate}Gbit`;
}

function network() {
  const links = new Set<string>();
  const addresses = new Set<string>();
  return {
    links,
    run(lines: readonly string[]) {
      for (const line of lines) {
        const words = line.split(' ');
        if (line.startsWith('tuntap add')) {
          if (links.has(words[3]!)) fail(line);
          links.add(words[3]!);
        } else if (line.startsWith('link del')) {
          if (!links.delete(words[2]!)) fail(line);
          for (const address of addresses) if (address.endsWith(` ${words[2]}`)) addresses.delete(address);
        } else if (line.startsWith('addr replace')) {
          if (words[4] !== 'eth0' && !links.has(words[4]!)) fail(line);
          addresses.add(`${words[2]} ${words[4]}`);
        } else if (line.startsWith('addr del')) {
          if (!addresses.delete(`${words[2]} ${words[4]}`)) fail(line);
        }
      }
    },
    state: () => ({ links: [...links].sort(), addresses: [...addresses].sort() }),
  };
}

export const options = {
  wan: 'eth0',
  leaf: 'bfifo',
  addresses: 'static',
  firstUid: 70_000,
  smtp: 'closed',
} as const;

export function start(set: HostSet) {
  const kernel = { firewall: firewall(), traffic: traffic(), network: network() };
  kernel.firewall.run(resetRuleset(set, options, []));
  kernel.network.run(set.subscriptions.flatMap(s => addLines(s, options, new Set())));
  kernel.traffic.run(shaperLines(plan(EMPTY, set), options));
  return kernel;
}

export function change(kernel: ReturnType<typeof start>, was: HostSet, is: HostSet) {
  const changes = plan(was, is);
  const gone = changes.removed.map(tunnelDevice);
  kernel.network.run(changes.removed.flatMap(s => removeLines(s, options)));
  for (const device of gone) kernel.traffic.deleteDevice(device);
  kernel.firewall.run(changedRuleset(changes));
  kernel.network.run(changes.added.flatMap(s => addLines(s, options, kernel.network.links)));
  kernel.traffic.run(shaperLines(changes, options));
}

export const state = (kernel: ReturnType<typeof start>) => ({
  firewall: kernel.firewall.state(),
  traffic: kernel.traffic.state(),
  network: kernel.network.state(),
});
