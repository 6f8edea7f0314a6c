import type { Customer } from '@fixpoint/sandbox/internet/customer.ts';
import { ADDRESSES } from '@fixpoint/sandbox/internet/namespaces.ts';
import { must } from '@fixpoint/sandbox/internet/run.ts';
import { eventually, type Scene } from './scene.ts';

/** Whether an address answers an echo request of a device. */
export const pings = (customer: Customer, address: string, bytes = 56): Promise<boolean> =>
  customer.exec(['ping', '-c', '2', '-i', '0.2', '-W', '1', '-s', String(bytes), address]).then(
    () => true,
    () => false,
  );

/** Returns the addresses that answer a device in any way: an echo request, or a TCP connection. */
export async function reached(customer: Customer, addresses: string[], port: number): Promise<string[]> {
  const answers = await Promise.all(
    addresses.map(async to => (await pings(customer, to)) || customer.answers(to, port)),
  );
  return addresses.filter((_, n) => answers[n]);
}

/**
 * Counts packets that leave a customer's computer outside the tunnel. Ignores the tunnel itself,
 * neighbour discovery, and the kernel's answers for a closed tunnel socket.
 */
export const countBeside = (scene: Scene, { device }: Customer): Promise<() => Promise<number>> =>
  scene.countAtRouter(
    `iifname "${device}" ip daddr ${ADDRESSES.pool} icmp type destination-unreachable accept`,
    `iifname "${device}" ip daddr ${ADDRESSES.pool} udp dport 1194 accept`,
    `iifname "${device}" icmpv6 type { nd-neighbor-solicit, nd-neighbor-advert, nd-router-solicit, mld2-listener-report } accept`,
    `iifname "${device}" counter name n`,
  );

/** Counts IPv4 packets that leave the host with the inner address of a tunnel. */
export const countUnmasked = (scene: Scene): Promise<() => Promise<number>> =>
  scene.countAtRouter('iifname "vpn" ip saddr 10.0.0.0/8 counter name n');

/** Router and host must discover each other before IPv6 passes. */
export const hostHasIpv6 = (scene: Scene): Promise<void> =>
  eventually('the host has IPv6', () =>
    scene.onHost('ping', '-c', '1', '-W', '1', ADDRESSES.internet6).then(
      () => true,
      () => false,
    ),
  );

/** Whether the host's kernel tracks connections of an inner address. */
export const tracked = async (scene: Scene, address: string): Promise<boolean> =>
  (await scene.onHost('conntrack', '--dump', '--family', address.includes(':') ? 'ipv6' : 'ipv4'))
    .split('\n')
    .some(line => new RegExp(`(src|dst)=${address} `).test(line));

/** Makes a customer's network drop UDP. */
export const dropUdp = (namespace: string): Promise<string> =>
  must('ip', [
    ...['netns', 'exec', namespace, 'nft'],
    'add table inet hotel; add chain inet hotel out { type filter hook output priority 0; }; add rule inet hotel out oifname "eth0" meta l4proto udp drop',
  ]);

/** The profile of a device that has given up on UDP. */
export const withoutUdp = (profile: string): string => profile.replace(/^remote .* udp$/m, '');
