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
 * Metric of the static addresses that the agent has put on the card, by which it knows them again. Of an address without a
 * network it says nothing else. A label would say it in words, but has no room beside a long name of a card.
 */
export const ADDRESS_METRIC = 6464;

export const removeAddressLine = (address: string, wan: string): string =>
  `addr del ${address}/32 dev ${wan}`;
export const removeDeviceLine = (s: Pick<DesiredSubscription, 'slot'>): string =>
  `link del ${tunnelDevice(s)}`;

/**
 * Lines of `ip -batch` for one subscription that goes. Its process must have ended before: one whose device vanishes spins.
 * @param source the address that the machine itself calls with, which stays
 */
export const removeLines = (s: DesiredSubscription, options: NetdevOptions, source?: string): string[] => [
  removeDeviceLine(s),
  ...(options.addresses === 'static' && s.bindAddress !== source
    ? [removeAddressLine(s.bindAddress, options.wan)]
    : []),
];

/** The way to a subscription's prefix, for packets that the firewall has seen. Goes with the device. */
export const routeLines6 = (s: DesiredSubscription): string[] =>
  s.prefix6 ? [`route replace ${s.prefix6} dev ${tunnelDevice(s)} table ${ROUTES6}`] : [];

/** Lines of `ip -batch` for one subscription that comes, or is only to be made sure of. */
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
