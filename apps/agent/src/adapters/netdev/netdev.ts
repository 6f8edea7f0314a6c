import { chmodSync, readFileSync, statSync } from 'node:fs';
import type { DesiredSubscription } from '@fixpoint/contract/agent.ts';
import { driftOf } from '../../drift.ts';
import { deviceCounters, ROUTES6, slotOfDevice, tunnelDevice, tunnelGateway } from '../../layout.ts';
import { faultWord, type Log } from '../../log.ts';
import type { Netdev } from '../../ports/host.ts';
import { must, run } from '../run.ts';
import { deviceSettings, guardLine, guardLines6, isGuarded, missingGuards6 } from './guard.ts';
import {
  ADDRESS_METRIC,
  addLines,
  type NetdevOptions,
  removeAddressLine,
  removeDeviceLine,
  removeLines,
  routeLines6,
} from './lines.ts';
import { createSysctls, hostSettings, tableRows, tableSize, type Values } from './sysctls.ts';

/** Device as listed by `ip -j addr`. */
type Link = {
  ifname: string;
  flags: string[];
  addr_info?: { family: string; local: string; prefixlen: number; metric?: number }[];
};

/**
 * Destination of route lookups; nothing is sent. A DNS root server is certainly on the internet and
 * never a resolver with its own route.
 */
const INTERNET = '198.41.0.4';

/** Route as listed by `ip -j route get`. */
type IpRoute = { prefsrc?: string | undefined; gateway?: string };
/** `isOurs`: the agent has assigned the address, and the operator uses it as source. */
type OwnRoute = IpRoute & { isOurs?: boolean };

/** Device of the default route; undefined while the host has none. */
export function defaultRouteDevice(): string | undefined {
  for (const line of readFileSync('/proc/self/net/route', 'utf8').split('\n').slice(1)) {
    const [device, destination, , , , , , mask] = line.trim().split(/\s+/);
    if (device && destination === '00000000' && mask === '00000000') return device;
  }
  return undefined;
}

/**
 * Unprivileged processes open this to attach to their user's device; the kernel grants them no
 * other. udev permits everybody; without udev (container, small machine) only root may.
 */
const TUN = '/dev/net/tun';
const FOR_ALL = 0o666;

function openTunDevice(log: Log): void {
  try {
    if ((statSync(TUN).mode & FOR_ALL) !== FOR_ALL) chmodSync(TUN, FOR_ALL);
  } catch (error) {
    log('tunClosed', { fault: faultWord(error) });
  }
}

/**
 * Reads the byte counts of tunnel devices. What a device receives, its customer has sent.
 * @param table `/proc/net/dev`: name, eight numbers received, eight sent, bytes first
 */
export function deviceBytes(table: string): Map<string, number> {
  const rows = table.split('\n').flatMap(line => {
    const [name = '', numbers = ''] = line.split(':');
    const slot = slotOfDevice(name.trim());
    if (slot === undefined) return [];
    const { down, up } = deviceCounters({ slot });
    const [received, , , , , , , , sent] = numbers.trim().split(/\s+/).map(Number);
    return [[up, received!] as const, [down, sent!] as const];
  });
  return new Map(rows);
}

export function createNetdev(options: NetdevOptions, log: Log): Netdev {
  const { wan } = options;
  const settings = createSysctls(log);
  const hostValues = hostSettings(wan);
  /** The machine's last known route to the internet. */
  let ownRoute: OwnRoute = {};

  /**
   * Runs all lines in one process. A failed line does not stop the others; it shows as a failed
   * tunnel.
   */
  async function batch(lines: readonly string[], family: '-4' | '-6' = '-4'): Promise<void> {
    if (lines.length === 0) return;
    const { code, stderr } = await run('ip', [family, '-force', '-batch', '-'], `${lines.join('\n')}\n`);
    if (code !== 0) log('ipRefused', { words: stderr.trim().slice(0, 300) });
  }

  const rules = async (family: '-4' | '-6') => JSON.parse(await must('ip', ['-j', family, 'rule', 'show']));
  const missingGuards = async () => missingGuards6(await rules('-6'));

  /**
   * With forwarding on, Linux ignores router advertisements unless this is 2, and the host would
   * lose its default route.
   */
  const acceptRa = `net/ipv6/conf/${wan}/accept_ra`;
  const forwarding6: Values = { 'net/ipv6/conf/all/forwarding': '1' };

  /** Enables IPv6 forwarding only if a subscription has a prefix, and after the guard rules. */
  async function enableIpv6Forwarding(): Promise<void> {
    await batch(await missingGuards(), '-6');
    if (settings.read(acceptRa) === '1') settings.set({ [acceptRa]: '2' });
    settings.set(forwarding6);
  }

  /** All devices, including those that are down. */
  const links = async (): Promise<Link[]> => JSON.parse(await must('ip', ['-j', 'addr', 'show']));
  const slotsOf = (found: readonly Link[]) => found.flatMap(({ ifname }) => slotOfDevice(ifname) ?? []);

  /** Single-host addresses with their card, and whether the agent assigned them. */
  const staticAddresses = (found: readonly Link[]): { local: string; card: string; own: boolean }[] =>
    found.flatMap(({ ifname, addr_info = [] }) =>
      addr_info
        .filter(({ family, prefixlen }) => family === 'inet' && prefixlen === 32)
        .map(({ local, metric }) => ({ local, card: ifname, own: metric === ADDRESS_METRIC })),
    );

  const isOurs = async (address: string) =>
    staticAddresses(await links()).some(({ local, own }) => own && local === address);
  /** Whether a default route names it as source address. */
  const isNamed = async (address: string) => {
    const { stdout } = await run('ip', ['-j', '-4', 'route', 'show', 'default']);
    return (JSON.parse(stdout || '[]') as IpRoute[]).some(({ prefsrc }) => prefsrc === address);
  };

  const deviceText = (name: string, up: boolean, gateway: boolean) =>
    `${name}${up ? '' : ' down'}${gateway ? '' : ' without its address'}`;
  /** Tunnel devices, with what they lack. */
  const tunnels = (found: readonly Link[]): string[] =>
    found.flatMap(({ ifname, flags, addr_info = [] }) => {
      const slot = slotOfDevice(ifname);
      if (slot === undefined) return [];
      const has = addr_info.some(
        ({ local, prefixlen }) => local === tunnelGateway({ slot }) && prefixlen === 24,
      );
      return [deviceText(ifname, flags.includes('UP'), has)];
    });

  const wantedRoutes6 = (subscriptions: readonly DesiredSubscription[]) =>
    subscriptions.flatMap(s => (s.prefix6 ? [`${s.prefix6} ${tunnelDevice(s)}`] : []));

  /** Routes to subscriptions' prefixes, each with its device. */
  async function routes6(): Promise<string[]> {
    const { code, stdout } = await run('ip', ['-j', '-6', 'route', 'show', 'table', ROUTES6]);
    // An empty routing table does not exist.
    const rows = (code === 0 ? JSON.parse(stdout) : []) as { dst: string; dev: string }[];
    return rows.map(({ dst, dev }) => `${dst} ${dev}`);
  }

  const settingsOf = (s: DesiredSubscription) => deviceSettings(tunnelDevice(s), s.prefix6 !== undefined);

  /**
   * Drift of the sysctls and rules that let customers out or close the host without its firewall.
   */
  async function settingsDrift(subscriptions: readonly DesiredSubscription[]) {
    const six = subscriptions.some(({ prefix6 }) => prefix6);
    const values = Object.assign({}, hostValues, six ? forwarding6 : {}, ...subscriptions.map(settingsOf));
    const { actual, wanted } = settings.compared(values);
    const missing = [
      ...(isGuarded(await rules('-4')) ? [] : [guardLine]),
      ...(six ? await missingGuards() : []),
    ];
    const guards = [guardLine, ...(six ? guardLines6 : [])];
    return driftOf(
      'setting',
      [...actual, ...guards.filter(line => !missing.includes(line))],
      [...wanted, ...guards],
    );
  }

  return {
    async configure() {
      settings.set(hostValues);
      // The conntrack sysctls exist since the firewall's first rule loaded the module.
      settings.bound('net/netfilter/nf_conntrack_buckets', tableRows(), 'least');
      settings.bound('net/netfilter/nf_conntrack_max', tableSize(), 'least');
      openTunDevice(log);
      if (!isGuarded(await rules('-4'))) await batch([guardLine]);
    },

    bytes: () => deviceBytes(readFileSync('/proc/self/net/dev', 'utf8')),

    slots: async () => slotsOf(await links()),

    async own() {
      const { code, stdout } = await run('ip', ['-j', '-4', 'route', 'get', INTERNET]);
      const [now] = code === 0 ? (JSON.parse(stdout) as [IpRoute]) : [ownRoute];
      const { prefsrc: source } = now;
      // An own source address is not looked up again: the agent never assigns it.
      const ours =
        source === ownRoute.prefsrc ? ownRoute.isOurs : source !== undefined && (await isOurs(source));
      // A card without an address of its own uses the first sold one as source; that one is not the
      // machine's.
      const isSold = ours && !(await isNamed(source!));
      ownRoute = isSold ? { ...now, prefsrc: undefined } : { ...now, isOurs: ours };
      return [ownRoute.prefsrc, ownRoute.gateway].filter(address => address !== undefined);
    },

    remove: subscriptions => batch(subscriptions.flatMap(s => removeLines(s, options, ownRoute.prefsrc))),

    async add(added) {
      // Unprivileged processes bind these ports, so they must not be reserved for root.
      const lowest = Math.min(1024, ...added.flatMap(s => [s.port, s.tcpPort ?? s.port]));
      settings.bound('net/ipv4/ip_unprivileged_port_start', lowest, 'most');
      const existing = new Set(added.length > 0 ? (await links()).map(({ ifname }) => ifname) : []);
      await batch(added.flatMap(s => addLines(s, options, existing)));
      for (const s of added) settings.set(settingsOf(s));
      const routes = added.flatMap(routeLines6);
      if (routes.length > 0) await enableIpv6Forwarding();
      await batch(routes, '-6');
    },

    async drift({ subscriptions }) {
      const found = await links();
      const sold = options.addresses === 'static' ? subscriptions.map(s => s.bindAddress) : [];
      const present = staticAddresses(found).filter(
        ({ local, card, own }) =>
          card === wan && ((own && local !== ownRoute.prefsrc) || sold.includes(local)),
      );
      return [
        ...driftOf(
          'address',
          present.map(({ local }) => local),
          sold,
        ),
        ...driftOf(
          'device',
          [...tunnels(found), ...(await routes6())],
          [...subscriptions.map(tunnelDevice), ...wantedRoutes6(subscriptions)],
        ),
        ...(await settingsDrift(subscriptions)),
      ];
    },

    async sweep(wanted) {
      const slots = new Set(wanted.map(s => s.slot));
      const addresses = new Set(wanted.map(s => s.bindAddress));
      const found = await links();
      const strayDevices = slotsOf(found).filter(slot => !slots.has(slot));
      const routes = new Set(wantedRoutes6(wanted));
      const strayRoutes = (await routes6()).filter(route => !routes.has(route));
      // Includes the previous network card: an address there would answer without a firewall.
      const strayAddresses = staticAddresses(found).filter(
        ({ local, card, own }) =>
          own && local !== ownRoute.prefsrc && !(card === wan && addresses.has(local)),
      );
      await batch([
        ...strayDevices.map(slot => removeDeviceLine({ slot })),
        ...strayAddresses.map(({ local, card }) => removeAddressLine(local, card)),
      ]);
      await batch(
        strayRoutes.map(route => `route del ${route.replace(' ', ' dev ')} table ${ROUTES6}`),
        '-6',
      );
    },
  };
}
