import { FIREWALL_MARK, ROUTES6, TUNNELS } from '../../layout.ts';

/**
 * What keeps the tunnels closed while the firewall is gone, `nft flush ruleset` included: a packet that the firewall has
 * not marked finds no route to a tunnel, and the kernel drops one that comes from a tunnel because there is no way back
 * to its sender (`rp_filter`, asked with the packet's mark).
 */
const PRIORITY = 64;
const PAST = PRIORITY + 3;

/** Line of `ip -batch`. Of the kernel's own kind: systemd-networkd takes away rules that it does not know. */
export const guardLine = `rule add priority ${PRIORITY} to ${TUNNELS} fwmark 0/${FIREWALL_MARK} blackhole protocol kernel`;

/**
 * The same of IPv6, where the kernel looks for no way back: routes to tunnels are in a table that only marked packets
 * find, and nothing is passed on without the mark. What the host itself says goes past that.
 */
const GUARD6: { line: string; is: (rule: Rule) => boolean }[] = [
  {
    line: `priority ${PRIORITY} fwmark ${FIREWALL_MARK}/${FIREWALL_MARK} lookup ${ROUTES6}`,
    is: ({ table }) => table === ROUTES6,
  },
  // Where the next one leads.
  { line: `priority ${PAST} nop`, is: ({ priority, nop }) => priority === PAST && nop === null },
  { line: `priority ${PRIORITY + 1} iif lo goto ${PAST}`, is: ({ goto }) => goto === PAST },
  {
    line: `priority ${PRIORITY + 2} fwmark 0/${FIREWALL_MARK} blackhole`,
    is: ({ action, fwmask }) => action === 'blackhole' && Number(fwmask) === Number(FIREWALL_MARK),
  },
];

/** A row of `ip -j rule`. */
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

/** Lines of `ip -6 -batch` for what is missing of it. */
export const missingGuards6 = (rules: readonly Rule[]): string[] =>
  GUARD6.filter(({ is }) => !rules.some(is)).map(({ line }) => `rule add ${line} protocol kernel`);

/** Lines that make all of it. */
export const guardLines6: readonly string[] = missingGuards6([]);

export const isGuarded = (rules: readonly Rule[]): boolean =>
  rules.some(
    ({ action, dst, dstlen, fwmask }) =>
      action === 'blackhole' && `${dst}/${dstlen}` === TUNNELS && Number(fwmask) === Number(FIREWALL_MARK),
  );

/** Settings of the host: an answer of its own to a tunnel carries the mark of what it answers. */
export const guardSettings: Record<string, string> = {
  'net/ipv4/fwmark_reflect': '1',
  'net/ipv6/fwmark_reflect': '1',
};

/** Settings of any tunnel's device; the package has systemd set them as well, for all devices of that name. */
export const tunnelSettings = (device: string): Record<string, string> => ({
  [`net/ipv4/conf/${device}/rp_filter`]: '1',
  [`net/ipv4/conf/${device}/src_valid_mark`]: '1',
  [`net/ipv4/conf/${device}/log_martians`]: '0',
  // No address of its own: nothing of the host is to be reached there, and nobody there says how the host finds its way.
  [`net/ipv6/conf/${device}/addr_gen_mode`]: '1',
  [`net/ipv6/conf/${device}/accept_ra`]: '0',
});

/** Settings of a tunnel's device. Without a prefix it is given no IPv6: nothing of it can come by this way. */
export const deviceSettings = (device: string, ipv6: boolean): Record<string, string> => ({
  ...tunnelSettings(device),
  [`net/ipv6/conf/${device}/disable_ipv6`]: ipv6 ? '0' : '1',
});
