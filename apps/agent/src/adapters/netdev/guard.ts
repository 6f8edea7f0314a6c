import { FIREWALL_MARK, TUNNELS } from '../../layout.ts';

/**
 * What keeps the tunnels closed while the firewall is gone, `nft flush ruleset` included: a packet that the firewall has
 * not marked finds no route to a tunnel, and the kernel drops one that comes from a tunnel because there is no way back
 * to its sender (`rp_filter`, asked with the packet's mark).
 */
const PRIORITY = 64;

/** Line of `ip -batch`. Of the kernel's own kind: systemd-networkd takes away rules that it does not know. */
export const guardLine = `rule add priority ${PRIORITY} to ${TUNNELS} fwmark 0/${FIREWALL_MARK} blackhole protocol kernel`;

/** A row of `ip -j rule`. */
type Rule = { action?: string; dst?: string; dstlen?: number; fwmask?: string };

export const isGuarded = (rules: readonly Rule[]): boolean =>
  rules.some(
    ({ action, dst, dstlen, fwmask }) =>
      action === 'blackhole' && `${dst}/${dstlen}` === TUNNELS && Number(fwmask) === Number(FIREWALL_MARK),
  );

/** Settings of the host: an answer of its own to a tunnel carries the mark of what it answers. */
export const guardSettings: Record<string, string> = { 'net/ipv4/fwmark_reflect': '1' };

/** Settings of a tunnel's device. It is given no IPv6: nothing of it can come by this way. */
export const deviceSettings = (device: string): Record<string, string> => ({
  [`net/ipv4/conf/${device}/rp_filter`]: '1',
  [`net/ipv4/conf/${device}/src_valid_mark`]: '1',
  [`net/ipv6/conf/${device}/disable_ipv6`]: '1',
});
