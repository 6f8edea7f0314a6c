import type { DesiredSubscription, Probe } from '@fixpoint/contract/agent.ts';
import { CIPHERS, inlined } from '../openvpn/config.ts';

export type Transport = 'udp' | 'tcp';

/**
 * Renders a customer's profile for a client on this host. It uses a local address that the firewall
 * does not sell, and a device created by others. All values must come from the validated contract.
 * @param device its own, created before
 * @param transport each transport that a profile names
 */
export const renderClientConfig = (
  s: DesiredSubscription,
  probe: Probe,
  device: string,
  transport: Transport,
): string =>
  `${[
    'client',
    `dev ${device}`,
    'dev-type tun',
    'disable-dco',
    'ifconfig-noexec',
    'route-noexec',
    `remote ${s.bindAddress} ${transport === 'udp' ? `${s.port} udp4` : `${s.tcpPort} tcp4-client`}`,
    // TCP reports a refusal at once, so one attempt is enough.
    ...(transport === 'tcp' ? ['connect-retry-max 1', 'connect-timeout 5'] : []),
    'local 127.0.0.1',
    'lport 0',
    'remote-cert-tls server',
    ...CIPHERS,
    'script-security 0',
    // The log is captured. It contains only data of the shop.
    'verb 3',
    ...inlined({ ca: s.ca, cert: probe.certificate, key: probe.key, 'tls-crypt': s.tlsCrypt }),
  ].join('\n')}\n`;
