import { FIREWALL_MARK, ROUTES6, TUNNELS } from '../../layout.ts';

/**
 * Keeps tunnels closed without a firewall, even after `nft flush ruleset`: an unmarked packet finds
 * no route to a tunnel, and `rp_filter` (with the packet's mark) drops those that come from a
 * tunnel.
 */
const PRIORITY = 64;
const END_PRIORITY = PRIORITY + 3;

/**
 * Line of `ip -batch`. Protocol `kernel`, because systemd-networkd removes rules that it does not
 * know.
 */
export const guardLine = `rule add priority ${PRIORITY} to ${TUNNELS} fwmark 0/${FIREWALL_MARK} blackhole protocol kernel`;

/**
 * The same for IPv6, which has no `rp_filter`: routes to tunnels are in a table that only marked
 * packets reach, and unmarked packets are not forwarded. The host's own packets skip these rules.
 */
const GUARD6: { line: string; is: (rule: Rule) => boolean }[] = [
  {
    line: `priority ${PRIORITY} fwmark ${FIREWALL_MARK}/${FIREWALL_MARK} lookup ${ROUTES6}`,
    is: ({ table }) => table === ROUTES6,
  },
  // Target of the next rule's `goto`.
  {
    line: `priority ${END_PRIORITY} nop`,
    is: ({ priority, nop }) => priority === END_PRIORITY && nop === null,
  },
  { line: `priority ${PRIORITY + 1} iif lo goto ${END_PRIORITY}`, is: ({ goto }) => goto === END_PRIORITY },
  {
    line: `priority ${PRIORITY + 2} fwmark 0/${FIREWALL_MARK} blackhole`,
    is: ({ action, fwmask }) => action === 'blackhole' && Number(fwmask) === Number(FIREWALL_MARK),
  },
];

/** Row of `ip -j rule`. */
type Rule = {
  priority?: number;
  action?: string;
  dst?: string;
  dstlen?: number;
  fwmask?: string;
  table?: string;
  goto?: number;
  nop?: null;
};

/** Lines of `ip -6 -batch` for the missing rules. */
export const missingGuards6 = (rules: readonly Rule[]): string[] =>
  GUARD6.filter(({ is }) => !rules.some(is)).map(({ line }) => `rule add ${line} protocol kernel`);

/** Lines of all rules. */
export const guardLines6: readonly string[] = missingGuards6([]);

export const isGuarded = (rules: readonly Rule[]): boolean =>
  rules.some(
    ({ action, dst, dstlen, fwmask }) =>
      action === 'blackhole' && `${dst}/${dstlen}` === TUNNELS && Number(fwmask) === Number(FIREWALL_MARK),
  );

/** Sysctls of the host: its replies to a tunnel carry the mark of the request. */
export const guardSettings: Record<string, string> = {
  'net/ipv4/fwmark_reflect': '1',
  'net/ipv6/fwmark_reflect': '1',
};

/** Sysctls of every tunnel device. The package also lets systemd set them, by device name. */
export const tunnelSettings = (device: string): Record<string, string> => ({
  [`net/ipv4/conf/${device}/rp_filter`]: '1',
  [`net/ipv4/conf/${device}/src_valid_mark`]: '1',
  [`net/ipv4/conf/${device}/log_martians`]: '0',
  // No link-local address: the host must be unreachable there and accept no router advertisements.
  [`net/ipv6/conf/${device}/addr_gen_mode`]: '1',
  [`net/ipv6/conf/${device}/accept_ra`]: '0',
});

/** Sysctls of a tunnel device. IPv6 is disabled without a prefix. */
export const deviceSettings = (device: string, ipv6: boolean): Record<string, string> => ({
  ...tunnelSettings(device),
  [`net/ipv6/conf/${device}/disable_ipv6`]: ipv6 ? '0' : '1',
});
