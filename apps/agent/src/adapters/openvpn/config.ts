import { createHash } from 'node:crypto';
import type { DesiredSubscription } from '@fixpoint/contract/agent.ts';
import { resolverAddresses, tunnelDevice, tunnelNetwork } from '../../layout.ts';
import { slotPaths } from './folder.ts';

const ALL_TRAFFIC = 'push "redirect-gateway def1 ipv6"';

/**
 * Without a prefix IPv6 has no way through the tunnel, and must have none beside it: the client is given an address and
 * the default route of a private prefix, so that all of it comes here, and answers it with "no route" like this end does.
 * Without the address `block-ipv6` does nothing. Nobody is reached by the prefix, so every client has the same.
 */
const NO_IPV6 = [
  'push "ifconfig-ipv6 fd9c:51e7:a03b::2/64 fd9c:51e7:a03b::1"',
  'push "block-ipv6"',
  'block-ipv6',
];

/** What both ends of a tunnel must agree on. */
export const CIPHERS = [
  'tls-version-min 1.2',
  'data-ciphers AES-256-GCM:AES-128-GCM:CHACHA20-POLY1305',
  'auth SHA256',
];

/** Certificates and keys inside of a configuration, so that none lies in a file. */
export const inlined = (secrets: Record<'ca' | 'cert' | 'key' | 'tls-crypt', string>): string[] =>
  Object.entries(secrets).map(([tag, pem]) => `<${tag}>\n${pem.trim()}\n</${tag}>`);

/**
 * Configuration of one subscription's server, given on standard input so that no secret lies in a file. Keys are not
 * in it: they live in the client folder, and a change of them needs no restart.
 * All values come validated from the contract; nothing else may be put in here.
 */
export function renderServerConfig(s: DesiredSubscription, runDir: string): string {
  const paths = slotPaths(runDir, s.slot);
  return `${[
    `local ${s.bindAddress}`,
    `port ${s.port}`,
    'proto udp4',
    `dev ${tunnelDevice(s)}`,
    'dev-type tun',
    // The device is made by the agent, so the kernel data channel cannot take it over.
    'disable-dco',
    'topology subnet',
    `server ${tunnelNetwork(s)} 255.255.255.0 nopool`,
    'ifconfig-noexec',
    `client-config-dir ${paths.clients}`,
    'ccd-exclusive',
    `crl-verify ${paths.revoked} dir`,
    // Not a device limit: a full table refuses a key whose old session has not timed out yet.
    'max-clients 64',
    // A host that is dead, or this process, is believed in by a client that has heard nothing for twelve seconds: four
    // times nothing, so that a network which loses every tenth packet is not taken for that.
    'ping 3',
    'push "ping-restart 12"',
    // The other way is only for its place in the table, and costs the batteries of phones.
    'push "ping 5"',
    'ping-restart 40',
    'explicit-exit-notify 1',
    // And clients: in their file the word would be refused beside TCP, before 2.6 with the whole file.
    'push "explicit-exit-notify 1"',
    'dh none',
    ...CIPHERS,
    'remote-cert-tls client',
    ALL_TRAFFIC,
    // With a prefix each key has its address in the client folder.
    ...(s.prefix6 ? [] : NO_IPV6),
    // TCP in the tunnel, both ways, in packets that pass a path of 1400 bytes whose routers say nothing.
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
    // Anything above 0 writes customers' addresses.
    'verb 0',
    ...inlined({ ca: s.ca, cert: s.serverCertificate, key: s.serverKey, 'tls-crypt': s.tlsCrypt }),
  ].join('\n')}\n`;
}

export const configHash = (config: string): string => createHash('sha256').update(config).digest('hex');
