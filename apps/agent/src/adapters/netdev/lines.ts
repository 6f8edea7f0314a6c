import type { DesiredSubscription } from '@fixpoint/contract/agent.ts';
import { processUid, ROUTES6, tunnelDevice, tunnelGateway } from '../../layout.ts';

export type NetdevOptions = {
  /** The host's network card. */
  wan: string;
  addresses: 'static' | 'managed';
  /** Only the slot's own user may attach to its device. */
  firstUid: number;
};

/**
 * Metric that marks static addresses added by the agent. An address without a network has no other
 * attribute; a label does not fit next to a long interface name.
 */
export const ADDRESS_METRIC = 6464;

export const removeAddressLine = (address: string, wan: string): string =>
  `addr del ${address}/32 dev ${wan}`;
export const removeDeviceLine = (s: Pick<DesiredSubscription, 'slot'>): string =>
  `link del ${tunnelDevice(s)}`;

/**
 * Lines of `ip -batch` that remove a subscription. Its process must have ended: one whose device
 * vanishes spins.
 * @param source the machine's own source address, which stays
 */
export const removeLines = (s: DesiredSubscription, options: NetdevOptions, source?: string): string[] => [
  removeDeviceLine(s),
  ...(options.addresses === 'static' && s.bindAddress !== source
    ? [removeAddressLine(s.bindAddress, options.wan)]
    : []),
];

/**
 * Route to a subscription's prefix for packets with the firewall's mark. It vanishes with the
 * device.
 */
export const routeLines6 = (s: DesiredSubscription): string[] =>
  s.prefix6 ? [`route replace ${s.prefix6} dev ${tunnelDevice(s)} table ${ROUTES6}`] : [];

/** Lines of `ip -batch` that add a subscription, or ensure that it is complete. */
export function addLines(
  s: DesiredSubscription,
  options: NetdevOptions,
  existing: ReadonlySet<string>,
): string[] {
  const device = tunnelDevice(s);
  return [
    ...(options.addresses === 'static'
      ? [`addr replace ${s.bindAddress}/32 dev ${options.wan} metric ${ADDRESS_METRIC}`]
      : []),
    ...(existing.has(device)
      ? []
      : [`tuntap add dev ${device} mode tun user ${processUid(options.firstUid, s)}`]),
    `link set ${device} up mtu 1500 txqueuelen 1000`,
    `addr replace ${tunnelGateway(s)}/24 dev ${device}`,
  ];
}
