import { createHash } from 'node:crypto';
import type { DesiredSubscription } from '@fixpoint/contract/agent.ts';
import { resolverAddresses, tunnelDevice, tunnelNetwork } from '../../layout.ts';
import { slotPaths } from './folder.ts';

const ALL_TRAFFIC = 'push "redirect-gateway def1 ipv6"';

/**
 * Blocks IPv6 outside the tunnel. The client gets an address and the default route of a private
 * prefix, and both ends answer "no route". Without the address `block-ipv6` has no effect. The
 * address is unreachable, so all clients share it.
 */
const NO_IPV6 = [
  'push "ifconfig-ipv6 fd9c:51e7:a03b::2/64 fd9c:51e7:a03b::1"',
  'push "block-ipv6"',
  'block-ipv6',
];

/** Options that both ends of a tunnel must share. */
export const CIPHERS = [
  'tls-version-min 1.2',
  'data-ciphers AES-256-GCM:AES-128-GCM:CHACHA20-POLY1305',
  'auth SHA256',
];

/** Inlines certificates and keys into a configuration, so that none is stored in a file. */
export const inlined = (secrets: Record<'ca' | 'cert' | 'key' | 'tls-crypt', string>): string[] =>
  Object.entries(secrets).map(([tag, pem]) => `<${tag}>\n${pem.trim()}\n</${tag}>`);

/**
 * Renders the server configuration of a subscription, passed on standard input so that no secret is
 * stored. It contains no keys: they are in the client folder, and changing them needs no restart.
 * All values must come from the validated contract.
 */
export function renderServerConfig(s: DesiredSubscription, runDir: string): string {
  const paths = slotPaths(runDir, s.slot);
  return `${[
    `local ${s.bindAddress}`,
    `port ${s.port}`,
    'proto udp4',
    `dev ${tunnelDevice(s)}`,
    'dev-type tun',
    // The agent creates the device, so the kernel data channel cannot take it over.
    'disable-dco',
    'topology subnet',
    `server ${tunnelNetwork(s)} 255.255.255.0 nopool`,
    'ifconfig-noexec',
    `client-config-dir ${paths.clients}`,
    'ccd-exclusive',
    `crl-verify ${paths.revoked} dir`,
    // Not the device limit: a full table would refuse a key whose old session has not timed out
    // yet.
    'max-clients 64',
    // A client declares the server dead after 12 s: four missed pings, so that 10 % packet loss
    // does not trigger it.
    'ping 3',
    'push "ping-restart 12"',
    // Keeps only the client's table entry alive; more frequent pings would drain phone batteries.
    'push "ping 5"',
    'ping-restart 40',
    'explicit-exit-notify 1',
    // Pushed, because in a client file it is invalid with TCP, and before 2.6 it invalidates the
    // whole file.
    'push "explicit-exit-notify 1"',
    'dh none',
    ...CIPHERS,
    'remote-cert-tls client',
    ALL_TRAFFIC,
    // With a prefix, the client folder assigns each key's address.
    ...(s.prefix6 ? [] : NO_IPV6),
    // Limits TCP segments in the tunnel to fit paths of 1400 bytes whose routers send no ICMP.
    'mssfix 1360',
    ...resolverAddresses(s).map(address => `push "dhcp-option DNS ${address}"`),
    'persist-key',
    'persist-tun',
    'fast-io',
    'sndbuf 2097152',
    'rcvbuf 2097152',
    'push "rcvbuf 2097152"',
    'script-security 0',
    `management ${paths.management} unix`,
    'management-client-user root',
    // Any level above 0 logs customers' addresses.
    'verb 0',
    ...inlined({ ca: s.ca, cert: s.serverCertificate, key: s.serverKey, 'tls-crypt': s.tlsCrypt }),
  ].join('\n')}\n`;
}

export const configHash = (config: string): string => createHash('sha256').update(config).digest('hex');
