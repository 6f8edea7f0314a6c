import type { DesiredSubscription, Probe } from '@fixpoint/contract/agent.ts';
import { CIPHERS, inlined } from '../openvpn/config.ts';

export type Transport = 'udp' | 'tcp';

/**
 * What a customer's file says, for a client on this host: it speaks to the server's address from one that the firewall does
 * not sell, and leaves it to others to open its device. All values come validated from the contract.
 * @param device its own, made before
 * @param way by which it comes: each of those that a file names
 */
export const renderClientConfig = (
  s: DesiredSubscription,
  probe: Probe,
  device: string,
  way: Transport,
): string =>
  `${[
    'client',
    `dev ${device}`,
    'dev-type tun',
    'disable-dco',
    'ifconfig-noexec',
    'route-noexec',
    `remote ${s.bindAddress} ${way === 'udp' ? `${s.port} udp4` : `${s.tcpPort} tcp4-client`}`,
    // What is refused there is refused: TCP says so at once.
    ...(way === 'tcp' ? ['connect-retry-max 1', 'connect-timeout 5'] : []),
    'local 127.0.0.1',
    'lport 0',
    'remote-cert-tls server',
    ...CIPHERS,
    'script-security 0',
    // Says what it is given. All of it is the shop's own.
    'verb 3',
    ...inlined({ ca: s.ca, cert: probe.certificate, key: probe.key, 'tls-crypt': s.tlsCrypt }),
  ].join('\n')}\n`;
