import { readFileSync, writeFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import { faultWord, type Log } from '../../log.ts';
import { guardSettings } from './guard.ts';

/** Sysctls by their path below `/proc/sys`. */
export type Values = Record<string, string>;

/** Sysctls of a VPN host. All but the buffer sizes belong to the agent's network namespace. */
export const hostSettings = (wan: string): Values => ({
  'net/ipv4/ip_forward': '1',
  'net/ipv4/conf/all/rp_filter': '0',
  'net/core/rmem_max': '4194304',
  'net/core/wmem_max': '4194304',
  // No byte counts or times of flows: they would record who talked to whom.
  'net/netfilter/nf_conntrack_acct': '0',
  'net/netfilter/nf_conntrack_timestamp': '0',
  'net/netfilter/nf_conntrack_log_invalid': '0',
  // A hardened host logs sender and destination of unroutable packets. New devices inherit the
  // default.
  ...Object.fromEntries(
    ['all', 'default', 'lo', wan].map(device => [`net/ipv4/conf/${device}/log_martians`, '0']),
  ),
  // Keeps no metrics per TCP peer address.
  'net/ipv4/tcp_no_metrics_save': '1',
  // A path MTU is remembered with its destination: for one minute instead of ten.
  'net/ipv4/route/mtu_expires': '60',
  // Flows of disconnected devices expire after two hours (RFC 5382) instead of five days.
  'net/netfilter/nf_conntrack_tcp_timeout_established': '7440',
  ...guardSettings,
});

/** Bytes that the kernel needs per connection. */
const CONNECTION = 320;
/**
 * Maximum number of tracked connections: twenty subscriptions at their limit, or a sixteenth of the
 * memory if larger. The kernel allocates memory per connection.
 */
export const tableSize = (memory: number = totalmem()): number =>
  Math.max(262_144, Math.floor(memory / 16 / CONNECTION));

/** Hash buckets of the connection table: at most four connections each on average. */
export const tableRows = (memory: number = totalmem()): number => Math.ceil(tableSize(memory) / 4);

function read(name: string): string | undefined {
  try {
    return readFileSync(`/proc/sys/${name}`, 'utf8').trim();
  } catch {
    return undefined;
  }
}

/**
 * Creates the access to sysctls. Those that the kernel lacks, or does not let the agent change, are
 * no drift.
 */
export function createSysctls(log: Log) {
  const unchangeable = new Set<string>();

  function set(values: Values): void {
    for (const [name, value] of Object.entries(values)) {
      if (read(name) === value) continue;
      try {
        writeFileSync(`/proc/sys/${name}`, value);
        unchangeable.delete(name);
      } catch (error) {
        // Buffer sizes are read-only inside a network namespace; others are absent on some kernels.
        if (!unchangeable.has(name)) log('sysctlKept', { name, fault: faultWord(error) });
        unchangeable.add(name);
      }
    }
  }

  return {
    set,
    read,
    /** Sets a lower or upper bound; an operator may have gone further. */
    bound(name: string, number: number, at: 'least' | 'most'): void {
      const now = Number(read(name) ?? number);
      if (at === 'least' ? now < number : now > number) set({ [name]: String(number) });
    },
    /** Returns actual and wanted values, each as `name value`. */
    compared(values: Values): { actual: string[]; wanted: string[] } {
      const known = Object.entries(values).filter(([name]) => !unchangeable.has(name));
      return {
        actual: known.map(([name]) => `${name} ${read(name)}`),
        wanted: known.map(([name, value]) => `${name} ${value}`),
      };
    },
  };
}
