import { readFileSync, writeFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import { faultWord, type Log } from '../../log.ts';
import { guardSettings } from './guard.ts';

/** Values of kernel settings by their path below `/proc/sys`. */
export type Values = Record<string, string>;

/** Kernel settings of a VPN host; all but the buffer sizes belong to the network namespace that the agent is in. */
export const hostSettings = (wan: string): Values => ({
  'net/ipv4/ip_forward': '1',
  'net/ipv4/conf/all/rp_filter': '0',
  'net/core/rmem_max': '4194304',
  'net/core/wmem_max': '4194304',
  // No byte counts or times of flows: they would be a record of who talked to whom.
  'net/netfilter/nf_conntrack_acct': '0',
  'net/netfilter/nf_conntrack_timestamp': '0',
  'net/netfilter/nf_conntrack_log_invalid': '0',
  // A hardened host writes down who sent a packet that has no way back, and where to. New devices begin with the default.
  ...Object.fromEntries(
    ['all', 'default', 'lo', wan].map(device => [`net/ipv4/conf/${device}/log_martians`, '0']),
  ),
  // No addresses of those who have called by TCP, with the speed of their line.
  'net/ipv4/tcp_no_metrics_save': '1',
  // A path that is narrower than others is remembered with the address at its end: for a minute, not for ten.
  'net/ipv4/route/mtu_expires': '60',
  // Flows of devices that have left while others stay are forgotten after two hours (RFC 5382), not after five days.
  'net/netfilter/nf_conntrack_tcp_timeout_established': '7440',
  ...guardSettings,
});

/** Bytes that the kernel takes for one connection. */
const CONNECTION = 320;
/**
 * Connections that the kernel is to have room for: those of twenty subscriptions that open all they may, on a small host as
 * well, and what a sixteenth of the memory holds on a large one. It takes the memory only when they are there.
 */
export const tableSize = (memory: number = totalmem()): number =>
  Math.max(262_144, Math.floor(memory / 16 / CONNECTION));

/** Rows that the kernel looks for a connection in: where all of them are there, four in a row. */
export const tableRows = (memory: number = totalmem()): number => Math.ceil(tableSize(memory) / 4);

function read(name: string): string | undefined {
  try {
    return readFileSync(`/proc/sys/${name}`, 'utf8').trim();
  } catch {
    return undefined;
  }
}

/** Settings that this agent has to do with. Those that its kernel does not have, or does not let it change, are no drift. */
export function createSysctls(log: Log) {
  const kept = new Set<string>();

  function set(values: Values): void {
    for (const [name, value] of Object.entries(values)) {
      if (read(name) === value) continue;
      try {
        writeFileSync(`/proc/sys/${name}`, value);
        kept.delete(name);
      } catch (error) {
        // Buffer sizes are read-only inside a network namespace; the rest is absent on some kernels.
        if (!kept.has(name)) log('sysctlKept', { name, fault: faultWord(error) });
        kept.add(name);
      }
    }
  }

  return {
    set,
    read,
    /** Has a number be this at least, or at most; an operator may have gone further. */
    bound(name: string, number: number, at: 'least' | 'most'): void {
      const now = Number(read(name) ?? number);
      if (at === 'least' ? now < number : now > number) set({ [name]: String(number) });
    },
    /** Values that shall be, and those that are, each `name value`. */
    compared(values: Values): { held: string[]; wanted: string[] } {
      const known = Object.entries(values).filter(([name]) => !kept.has(name));
      return {
        held: known.map(([name]) => `${name} ${read(name)}`),
        wanted: known.map(([name, value]) => `${name} ${value}`),
      };
    },
  };
}
