import { type StdioOptions, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { CHILD_ENV, must, run } from './run.ts';

/**
 * Network namespaces of one region. All devices are created inside them: the machine's own network
 * gets no device, route, rule or sysctl.
 */

/**
 * Addresses of every region, from documentation ranges (RFC 5737, RFC 3849) except the resolver's.
 */
export const ADDRESSES = {
  routerToInternet: '192.0.2.1',
  internet: '192.0.2.10',
  routerToInternet6: '2001:db8:0:1::1',
  internet6: '2001:db8:0:1::10',
  /** The default resolver of hosts; here it knows no name. */
  resolver: '9.9.9.9',
  routerToHost: '192.0.2.65',
  host: '192.0.2.66',
  routerToHost6: '2001:db8:0:3::1',
  host6: '2001:db8:0:3::2',
  customerGateway: '198.51.100.1',
  customerNetwork: '198.51.100.0/24',
  customerGateway6: 'fe80::1',
  customerNetwork6: '2001:db8:0:2::/64',
  /** Static addresses that the shop sells here, routed to the VPN host. */
  pool: '203.0.113.0/24',
  pool6: '2001:db8:7::/56',
} as const;

/** A machine whose kernel runs without IPv6 has a region without it. */
const ipv6 = (): boolean => existsSync('/proc/net/if_inet6');
export const ifIpv6 = (...lines: string[]): string[] => (ipv6() ? lines : []);

export type Role = 'net' | 'www' | 'vpn' | `c${number}`;

export const ID_RULE = /^[a-z0-9]{1,6}$/;

export const namespaceOf = (id: string, role: Role): string => `fp-${id}-${role}`;

/** All namespaces of all regions on this machine. */
export async function namespaces(): Promise<string[]> {
  const out = await must('ip', ['netns', 'list']);
  return out.split('\n').flatMap(line => line.split(' ')[0] || []);
}

/** Ids of the regions that run on this machine. */
export const regions = async (): Promise<string[]> =>
  (await namespaces()).flatMap(name => name.match(/^fp-([a-z0-9]{1,6})-net$/)?.[1] ?? []);

/** Ids of regions with any leftovers, also half-built or half-removed ones. */
export const regionsLeft = async (): Promise<string[]> => [
  ...new Set(
    (await namespaces()).flatMap(name => name.match(/^fp-([a-z0-9]{1,6})-(?:net|www|vpn|c\d+)$/)?.[1] ?? []),
  ),
];

/** Processes in a namespace; none if it does not exist. */
export async function processesIn(namespace: string): Promise<number[]> {
  const { code, out } = await run('ip', ['netns', 'pids', namespace]);
  return code === 0 ? out.split('\n').filter(Boolean).map(Number) : [];
}

/** Starts a program inside a namespace. */
export const spawnIn = (
  namespace: string,
  command: readonly string[],
  options: { stdio: StdioOptions; env?: Record<string, string> },
) =>
  spawn('ip', ['netns', 'exec', namespace, ...command], {
    stdio: options.stdio,
    env: { ...CHILD_ENV, ...options.env },
  });

const batchIn = (namespace: string, lines: readonly string[]): Promise<string> =>
  must('ip', ['-n', namespace, '-batch', '-'], `${lines.join('\n')}\n`);

/** Forwards packets between the devices of a namespace. */
async function forward(namespace: string): Promise<void> {
  for (const setting of ['ipv4/ip_forward', ...ifIpv6('ipv6/conf/all/forwarding')])
    await must('ip', ['netns', 'exec', namespace, 'tee', `/proc/sys/net/${setting}`], '1');
}

async function addNamespace(name: string): Promise<void> {
  await must('ip', ['netns', 'add', name]);
  await must('ip', ['-n', name, 'link', 'set', 'lo', 'up']);
}

/**
 * Kills all processes in a namespace, waits until they are gone, and removes it. In this order: an
 * openvpn whose device vanishes would spin for ever.
 */
export async function removeNamespace(name: string): Promise<void> {
  const listed = () => processesIn(name);
  for (let pids = await listed(), tries = 0; pids.length > 0 && tries < 200; tries++, pids = await listed()) {
    for (const pid of pids) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It has ended by itself.
      }
    }
    await sleep(10);
  }
  // The kernel removes a namespace later; its link to the router must be gone when this returns.
  await run('ip', ['-n', name, 'link', 'del', 'eth0']);
  await run('ip', ['netns', 'del', name]);
}

/** Removes all namespaces of a region, whoever has created them. */
export async function removeRegion(id: string): Promise<void> {
  const own = (await namespaces()).filter(name => name.startsWith(`fp-${id}-`));
  await Promise.all(own.map(removeNamespace));
}

/** The central router, and the internet's only server behind it. */
export async function buildInternet(id: string): Promise<void> {
  const [net, www] = [namespaceOf(id, 'net'), namespaceOf(id, 'www')];
  await addNamespace(net);
  await addNamespace(www);
  await batchIn(net, [
    `link add www type veth peer name eth0 netns ${www}`,
    `addr add ${ADDRESSES.routerToInternet}/26 dev www`,
    ...ifIpv6(`addr add ${ADDRESSES.routerToInternet6}/64 dev www nodad`),
    'link set www up',
    `route add ${ADDRESSES.resolver} via ${ADDRESSES.internet}`,
  ]);
  await batchIn(www, [
    `addr add ${ADDRESSES.resolver}/32 dev lo`,
    `addr add ${ADDRESSES.internet}/26 dev eth0`,
    ...ifIpv6(`addr add ${ADDRESSES.internet6}/64 dev eth0 nodad`),
    'link set eth0 up',
    `route add default via ${ADDRESSES.routerToInternet}`,
    ...ifIpv6(`route add default via ${ADDRESSES.routerToInternet6}`),
  ]);
  await forward(net);
}

/**
 * The VPN host: one network card, one address per family, and the pool of static addresses routed
 * to it.
 */
export async function buildHost(id: string): Promise<void> {
  const [net, vpn] = [namespaceOf(id, 'net'), namespaceOf(id, 'vpn')];
  await addNamespace(vpn);
  await batchIn(net, [
    `link add vpn type veth peer name eth0 netns ${vpn}`,
    `addr add ${ADDRESSES.routerToHost}/26 dev vpn`,
    ...ifIpv6(`addr add ${ADDRESSES.routerToHost6}/64 dev vpn nodad`),
    'link set vpn up',
    `route add ${ADDRESSES.pool} via ${ADDRESSES.host}`,
    ...ifIpv6(`route add ${ADDRESSES.pool6} via ${ADDRESSES.host6}`),
  ]);
  await batchIn(vpn, [
    `addr add ${ADDRESSES.host}/26 dev eth0`,
    ...ifIpv6(`addr add ${ADDRESSES.host6}/64 dev eth0 nodad`),
    'link set eth0 up',
    `route add default via ${ADDRESSES.routerToHost}`,
    ...ifIpv6(`route add default via ${ADDRESSES.routerToHost6}`),
  ]);
}

/** A customer on the internet, with an own address per family. */
export async function buildCustomer(
  id: string,
): Promise<{ namespace: string; address: string; device: string }> {
  const net = namespaceOf(id, 'net');
  for (let host = 11; host <= 250; host++) {
    const device = `c${host}` as const;
    const namespace = namespaceOf(id, device);
    // Adding an existing name fails, so two concurrent commands get two customers.
    if ((await run('ip', ['netns', 'add', namespace])).code !== 0) continue;
    const address = ADDRESSES.customerNetwork.replace('0/24', String(host));
    const address6 = ADDRESSES.customerNetwork6.replace('/64', String(host));
    await batchIn(net, [
      `link add ${device} type veth peer name eth0 netns ${namespace}`,
      `addr add ${ADDRESSES.customerGateway} peer ${address}/32 dev ${device}`,
      ...ifIpv6(`addr add ${ADDRESSES.customerGateway6}/64 dev ${device} nodad`),
      `link set ${device} up`,
      ...ifIpv6(`route add ${address6}/128 dev ${device}`),
    ]);
    await batchIn(namespace, [
      'link set lo up',
      `addr add ${address}/32 dev eth0`,
      ...ifIpv6(`addr add ${address6}/128 dev eth0 nodad`),
      'link set eth0 up',
      `route add ${ADDRESSES.customerGateway}/32 dev eth0`,
      `route add default via ${ADDRESSES.customerGateway}`,
      ...ifIpv6(`route add default via ${ADDRESSES.customerGateway6} dev eth0`),
    ]);
    return { namespace, address, device };
  }
  throw new Error('no room for another customer');
}
