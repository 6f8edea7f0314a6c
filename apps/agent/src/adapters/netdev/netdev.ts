import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import type { DesiredSubscription } from '@fixpoint/contract/agent.ts';
import { driftOf } from '../../drift.ts';
import { deviceCounters, ROUTES6, slotOfDevice, tunnelDevice } from '../../layout.ts';
import { faultWord, type Log } from '../../log.ts';
import type { Netdev } from '../../ports/host.ts';
import { must, run } from '../run.ts';
import { deviceSettings, guardLine, guardSettings, isGuarded, missingGuards6 } from './guard.ts';
import {
  ADDRESS_METRIC,
  addLines,
  type NetdevOptions,
  removeAddressLine,
  removeDeviceLine,
  removeLines,
  routeLines6,
} from './lines.ts';

/** Kernel settings of a VPN host; all but the buffer sizes belong to the network namespace that the agent is in. */
const SYSCTLS: Record<string, string> = {
  'net/ipv4/ip_forward': '1',
  'net/ipv4/conf/all/rp_filter': '0',
  'net/core/rmem_max': '4194304',
  'net/core/wmem_max': '4194304',
  // No byte counts or times of flows: they would be a record of who talked to whom (V35).
  'net/netfilter/nf_conntrack_acct': '0',
  'net/netfilter/nf_conntrack_timestamp': '0',
  'net/netfilter/nf_conntrack_log_invalid': '0',
  // No addresses of those who have called by TCP, with the speed of their line (V35).
  'net/ipv4/tcp_no_metrics_save': '1',
  // Flows of devices that have left while others stay are forgotten after two hours (RFC 5382), not after five days.
  'net/netfilter/nf_conntrack_tcp_timeout_established': '7440',
  ...guardSettings,
};

/** Device of the default route, from the kernel's table. @throws Error when the host has none */
export function defaultRouteDevice(): string {
  for (const line of readFileSync('/proc/self/net/route', 'utf8').split('\n').slice(1)) {
    const [device, destination, , , , , , mask] = line.trim().split(/\s+/);
    if (device && destination === '00000000' && mask === '00000000') return device;
  }
  throw new Error('the host has no default route: name its network card in AGENT_INTERFACE');
}

function setSysctls(settings: Record<string, string>, log: Log): void {
  for (const [name, value] of Object.entries(settings)) {
    try {
      writeFileSync(`/proc/sys/${name}`, value);
    } catch (error) {
      // Buffer sizes are read-only inside a network namespace; the rest is absent on some kernels.
      log('sysctlKept', { name, fault: faultWord(error) });
    }
  }
}

/**
 * Processes without rights open this to reach the device that was made for their user; the kernel gives them no other. udev
 * lets everybody, and where there is none (a small machine, a container) only root may.
 */
const TUN = '/dev/net/tun';
const FOR_ALL = 0o666;

function letProcessesIn(log: Log): void {
  try {
    if ((statSync(TUN).mode & FOR_ALL) !== FOR_ALL) chmodSync(TUN, FOR_ALL);
  } catch (error) {
    log('tunClosed', { fault: faultWord(error) });
  }
}

function readSetting(name: string): string | undefined {
  try {
    return readFileSync(`/proc/sys/${name}`, 'utf8').trim();
  } catch {
    return undefined;
  }
}

/**
 * Bytes of the tunnel devices in the kernel's table of devices. What a device receives its customer has sent.
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

  /** One process for all lines; a line that fails does not keep the others back, it shows as a failed tunnel. */
  async function batch(lines: readonly string[], family: '-4' | '-6' = '-4'): Promise<void> {
    if (lines.length === 0) return;
    const { code, stderr } = await run('ip', [family, '-force', '-batch', '-'], `${lines.join('\n')}\n`);
    if (code !== 0) log('ipRefused', { words: stderr.trim().slice(0, 300) });
  }

  /** IPv6 is passed on only where somebody has a prefix, and never before it is guarded. */
  async function passIpv6(): Promise<void> {
    await batch(missingGuards6(JSON.parse(await must('ip', ['-j', '-6', 'rule', 'show']))), '-6');
    const ways = `net/ipv6/conf/${wan}/accept_ra`;
    // A host that passes packets on would not listen any more to the router that tells it its own way out.
    if (readSetting(ways) === '1') setSysctls({ [ways]: '2' }, log);
    setSysctls({ 'net/ipv6/conf/all/forwarding': '1' }, log);
  }

  /** All devices, also those that are down: a tunnel whose process has ended is. */
  async function devices(): Promise<string[]> {
    const links = JSON.parse(await must('ip', ['-j', 'link', 'show'])) as { ifname: string }[];
    return links.map(link => link.ifname);
  }

  const isTunnel = (name: string) => slotOfDevice(name) !== undefined;

  const wantedRoutes6 = (subscriptions: readonly DesiredSubscription[]) =>
    subscriptions.flatMap(s => (s.prefix6 ? [`${s.prefix6} ${tunnelDevice(s)}`] : []));

  /** Ways to prefixes of subscriptions, each with its device. */
  async function routes6(): Promise<string[]> {
    const { code, stdout } = await run('ip', ['-j', '-6', 'route', 'show', 'table', ROUTES6]);
    // A table without a route does not exist.
    const rows = (code === 0 ? JSON.parse(stdout) : []) as { dst: string; dev: string }[];
    return rows.map(({ dst, dev }) => `${dst} ${dev}`);
  }

  /** Addresses of one host that are on the card, and whether the agent has put them there. */
  async function staticAddresses(): Promise<{ local: string; own: boolean }[]> {
    const links = JSON.parse(await must('ip', ['-j', '-4', 'addr', 'show', 'dev', wan])) as {
      addr_info?: { local: string; prefixlen: number; metric?: number }[];
    }[];
    return links
      .flatMap(link => link.addr_info ?? [])
      .filter(({ prefixlen }) => prefixlen === 32)
      .map(({ local, metric }) => ({ local, own: metric === ADDRESS_METRIC }));
  }

  return {
    async configure() {
      setSysctls(SYSCTLS, log);
      letProcessesIn(log);
      if (!isGuarded(JSON.parse(await must('ip', ['-j', '-4', 'rule', 'show'])))) await batch([guardLine]);
    },

    bytes: () => deviceBytes(readFileSync('/proc/self/net/dev', 'utf8')),

    slots: async () => (await devices()).flatMap(name => slotOfDevice(name) ?? []),

    async apply(removed, added) {
      const lowest = Math.min(1024, ...added.flatMap(s => [s.port, s.tcpPort ?? s.port]));
      // Processes have no right to bind the low ports, so the kernel must give those to everybody.
      if (lowest < 1024) setSysctls({ 'net/ipv4/ip_unprivileged_port_start': String(lowest) }, log);
      const gone = removed.flatMap(s => removeLines(s, options));
      const existing = new Set(added.length > 0 ? await devices() : []);
      for (const s of removed) existing.delete(tunnelDevice(s));
      await batch([...gone, ...added.flatMap(s => addLines(s, options, existing))]);
      for (const s of added) setSysctls(deviceSettings(tunnelDevice(s), s.prefix6 !== undefined), log);
      const routes = added.flatMap(routeLines6);
      if (routes.length > 0) await passIpv6();
      await batch(routes, '-6');
    },

    async drift({ subscriptions }) {
      const sold = options.addresses === 'static' ? subscriptions.map(s => s.bindAddress) : [];
      const present = (await staticAddresses()).filter(({ local, own }) => own || sold.includes(local));
      return [
        ...driftOf(
          'address',
          present.map(({ local }) => local),
          sold,
        ),
        ...driftOf(
          'device',
          [...(await devices()).filter(isTunnel), ...(await routes6())],
          [...subscriptions.map(tunnelDevice), ...wantedRoutes6(subscriptions)],
        ),
      ];
    },

    async sweep(wanted) {
      const slots = new Set(wanted.map(s => s.slot));
      const addresses = new Set(wanted.map(s => s.bindAddress));
      const strayDevices = (await this.slots()).filter(slot => !slots.has(slot));
      const ways = new Set(wantedRoutes6(wanted));
      const strayRoutes = (await routes6()).filter(way => !ways.has(way));
      const strayAddresses = (await staticAddresses()).filter(({ local, own }) => own && !addresses.has(local));
      await batch([
        ...strayDevices.map(slot => removeDeviceLine({ slot })),
        ...strayAddresses.map(({ local }) => removeAddressLine(local, wan)),
      ]);
      await batch(
        strayRoutes.map(way => `route del ${way.replace(' ', ' dev ')} table ${ROUTES6}`),
        '-6',
      );
    },
  };
}
