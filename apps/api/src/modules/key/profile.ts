import { createHash } from 'node:crypto';
import { isIPv4 } from 'node:net';
import type { deviceKinds } from '@fixpoint/contract/calls/subscription.ts';

export type Profile = {
  /** Public address of the subscription, which clients connect to. */
  remoteAddress: string;
  /** UDP port. */
  port: number;
  /** TCP port, for networks that block UDP; null: none. */
  tcpPort: number | null;
  /** Common name of the server's certificate. */
  serverName: string;
  ca: string;
  certificate: string;
  key: string;
  tlsCrypt: string;
  /** Name that the app shows for this profile. */
  friendlyName: string;
  /** For a network that loses large packets. */
  smallPackets?: boolean;
  /** The device stays offline when its rights end. */
  blockWhenEnded?: boolean;
  device: Device;
};

/** Kind of the device; null: unknown. */
export type Device = (typeof deviceKinds)[number] | null;

/** The part of a profile that all files of a subscription for one kind of device share. */
type Shared = Pick<Profile, 'remoteAddress' | 'port' | 'tcpPort' | 'serverName' | 'ca' | 'device'>;

const SERVER_NAME = /^[A-Za-z0-9_.-]{1,64}$/;
/** Letters and digits of any script, space and `. _ ( ) -`: nothing that ends a quoted word of a config file. */
const FRIENDLY_NAME = /^[\p{L}\p{M}\p{N} ._()-]+$/u;
/** Seconds without an answer after which a client tries the next remote. */
const SERVER_POLL_TIMEOUT = 5;
/**
 * Seconds that OpenVPN waits between tries, at first and at most. Its default grows to five minutes, which would delay a
 * reconnect after a migration. The core of the official apps ignores the directive and waits two seconds.
 */
const CONNECT_RETRY = 'connect-retry 1 5';
/** OpenVPN reads 256 bytes of a line at most. */
const FRIENDLY_NAME_BYTES = 200;
/** At most 3 bytes each in most scripts; the key's name has up to 64. */
const BRAND_CHARS = 40;

const BLOCKS = {
  ca: 'CERTIFICATE',
  cert: 'CERTIFICATE',
  key: 'PRIVATE KEY',
  'tls-crypt': 'OpenVPN Static key V1',
} as const;

/** OpenVPN on Linux fails when it gets an IPv6 address and the kernel has IPv6 disabled. The file names the way out. */
const WITHOUT_IPV6 = [
  '# IPv6 is turned off on this Linux computer ("can\'t add IPv6 to interface")? Remove the # before pull-filter.',
  '#pull-filter ignore "ifconfig-ipv6"',
];

/**
 * OpenVPN on Linux does not set resolvers, so DNS would bypass the tunnel. These scripts set them through systemd-resolved,
 * or by a bind mount over /etc/resolv.conf that ends with the tunnel. Where neither is possible (Debian's openvpn-client@
 * may not mount), the connection ends with a sentence instead of leaking. Only these fixed commands run; nothing else in a
 * file can run anything (S56). OpenVPN reads 255 bytes of a line, so what is long stands in variables (of two letters at least).
 */
const RESOLVER_SCRIPTS = [
  'script-security 2',
  'setenv rc /etc/resolv.conf',
  'setenv ns nameserver',
  'setenv no "No site names through the VPN: apt install systemd-resolved, or use NetworkManager"',
  `up "/bin/sh -c '${[
    // The host pushes “dhcp-option DNS ADDRESS” twice. $0 is the tunnel device.
    'set $foreign_option_1 $foreign_option_2',
    'f=/run/$0',
    // Cleans up after a killed openvpn.
    '[ -e $f ]&&umount $rc',
    // Debian's resolvconf names that address in a comment.
    'resolvectl dns $0 $3 $6&&resolvectl domain $0 ~.&&grep -q ^n.*127.0.0.53 $rc&&exit',
    '(echo $ns $3;echo $ns $6)>$f',
    'mount --bind $f $rc||{ rm $f;echo $no;exit 1',
    '}',
  ].join(';')}'"`,
  // Lets the usual programs write the file again, which the mount hid from them.
  `down "/bin/sh -c '${[
    '[ -e /run/$0 ]&&umount -l /etc/resolv.conf&&rm /run/$0',
    'resolvconf -u',
    'nmcli general reload dns-rc',
    ':',
  ].join(';')}'"`,
];

/** The same lines as comments for a device of unknown kind: they would fail on other systems. */
const COMMENTED_RESOLVER_SCRIPTS = [
  '# Linux in a terminal: remove the # before these lines, and names are looked up through the VPN.',
  ...RESOLVER_SCRIPTS.map(line => `#${line}`),
];

/** Lines for one kind of device only. */
function linesFor(device: Device): string[] {
  if (device === 'linux') return [...WITHOUT_IPV6, ...RESOLVER_SCRIPTS];
  return device === null ? [...WITHOUT_IPV6, ...COMMENTED_RESOLVER_SCRIPTS] : [];
}

/** Name of a profile in the app: brand, limited to allowed characters, and key name. */
export function friendlyNameOf(brandName: string, keyName: string): string {
  const brand = brandName.replace(/[^\p{L}\p{M}\p{N} ._()-]/gu, '').slice(0, BRAND_CHARS);
  return `${brand} ${keyName}`.trim();
}

/** One inline file: exactly one PEM block of the expected kind, so no value can smuggle in a directive. */
function inline(tag: keyof typeof BLOCKS, pem: string): string {
  const label = BLOCKS[tag];
  const block = new RegExp(`^-----BEGIN ${label}-----\\n[A-Za-z0-9+/=\\n]+\\n-----END ${label}-----$`);
  const text = pem.trim();
  if (!block.test(text)) throw new TypeError(`<${tag}> is not one ${label}`);
  return `<${tag}>\n${text}\n</${tag}>`;
}

/** Directives that are equal for all devices of a subscription. */
const directives = ({ remoteAddress, port, tcpPort, serverName }: Shared): string[] => [
  'client',
  'dev tun',
  // Tried in this order: UDP is faster, and TCP passes networks that allow only the web.
  `remote ${remoteAddress} ${port} udp`,
  ...(tcpPort
    ? [`remote ${remoteAddress} ${tcpPort} tcp`, `server-poll-timeout ${SERVER_POLL_TIMEOUT}`]
    : []),
  CONNECT_RETRY,
  'nobind',
  'resolv-retry infinite',
  'persist-key',
  'persist-tun',
  'remote-cert-tls server',
  `verify-x509-name ${serverName} name`,
  'tls-version-min 1.2',
  'data-ciphers AES-256-GCM:AES-128-GCM:CHACHA20-POLY1305',
  'auth SHA256',
  'ignore-unknown-option block-outside-dns',
  // The bare word is fatal for OpenVPN 2.6 on Linux; both engines accept it through setenv opt.
  'setenv opt block-outside-dns',
];

/**
 * Limits TCP packets to 1,228 bytes both ways, which fits the smallest IPv6 path. Not `tun-mtu`: the server would still send
 * larger packets, which an app could not receive.
 */
const SMALL_PACKETS = 'mssfix 1200';

/**
 * A client that is refused exits, which lifts its routes and blocks. With this line OpenVPN 2 tries again instead, and
 * `persist-tun` keeps both until its user disconnects. The apps' core ignores it: there, the system's own setting helps.
 */
const BLOCK_WHEN_ENDED = 'setenv opt auth-retry nointeract';

/** Hash of the content of a subscription's files. A file with another version is outdated, but still works. */
export const profileVersion = (shared: Shared): string =>
  createHash('sha256')
    .update([...directives(shared), ...linesFor(shared.device), shared.ca.trim()].join('\n'))
    .digest('hex')
    .slice(0, 12);

/**
 * Renders an `.ovpn` file. The OpenVPN 3 core of the official apps refuses unknown and server directives (decision 41). The
 * server pushes routes, resolvers and `explicit-exit-notify`: OpenVPN 2.5 refuses a file that has the last beside TCP.
 * @throws TypeError when a value could break out of its place in the file
 */
export function renderProfile(profile: Profile): string {
  const { remoteAddress, port, tcpPort, serverName, friendlyName } = profile;
  if (!isIPv4(remoteAddress)) throw new TypeError('the remote address is not IPv4');
  for (const each of [port, tcpPort ?? port])
    if (!Number.isInteger(each) || each < 1 || each > 65_535) throw new TypeError('a port is out of range');
  if (!SERVER_NAME.test(serverName))
    throw new TypeError('the server name holds a character that is not allowed');
  if (!FRIENDLY_NAME.test(friendlyName) || Buffer.byteLength(friendlyName) > FRIENDLY_NAME_BYTES) {
    throw new TypeError('the friendly name holds a character that is not allowed, or is too long');
  }
  return `${[
    `# Profile ${profileVersion(profile)}`,
    ...directives(profile),
    ...(profile.smallPackets ? [SMALL_PACKETS] : []),
    ...(profile.blockWhenEnded ? [BLOCK_WHEN_ENDED] : []),
    `setenv FRIENDLY_NAME "${friendlyName}"`,
    'verb 1',
    ...linesFor(profile.device),
    inline('ca', profile.ca),
    inline('cert', profile.certificate),
    inline('key', profile.key),
    inline('tls-crypt', profile.tlsCrypt),
  ].join('\n')}\n`;
}
