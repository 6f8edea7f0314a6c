import { createHash } from 'node:crypto';
import { isIPv4 } from 'node:net';
import type { deviceKinds } from '@fixpoint/contract/calls/subscription.ts';

export type Profile = {
  /** Address that customers dial: the public one of the subscription. */
  remoteAddress: string;
  /** Of UDP. */
  port: number;
  /** Of TCP, for networks that let no UDP through; null: there is none. */
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
  device: Device;
};

/** What kind of device the file is for; null: nobody has said it. */
export type Device = (typeof deviceKinds)[number] | null;

/** What all files of a subscription for one kind of device have in common. */
type Shared = Pick<Profile, 'remoteAddress' | 'port' | 'tcpPort' | 'serverName' | 'ca' | 'device'>;

const SERVER_NAME = /^[A-Za-z0-9_.-]{1,64}$/;
/** Letters and digits of any script, space and `. _ ( ) -`: nothing that ends a quoted word of a config file. */
const FRIENDLY_NAME = /^[\p{L}\p{M}\p{N} ._()-]+$/u;
/**
 * Seconds after which a client that has heard nothing takes the next way. The first answer takes as long as one round trip.
 */
const NEXT_WAY = 5;
/**
 * Seconds that OpenVPN waits between tries, at first and at most. By itself it would wait up to five minutes in the end, so long
 * after its address is served again. The core of the official apps ignores the words: it waits two seconds each time.
 */
const TRIES = 'connect-retry 1 5';
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

/**
 * OpenVPN on Linux gives up where the server gives it an IPv6 address and the kernel has no IPv6, and the server has to
 *. Who has turned it off finds the way out in his file.
 */
const WITHOUT_IPV6 = [
  '# IPv6 is turned off on this Linux computer ("can\'t add IPv6 to interface")? Remove the # before pull-filter.',
  '#pull-filter ignore "ifconfig-ipv6"',
];

/**
 * OpenVPN itself tells a Linux computer nothing of resolvers, so it would go on asking those of its own network.
 * These lines do, with what every Linux has: systemd-resolved where that answers the computer's names, and otherwise a file
 * laid over the list of resolvers, which is away again with the tunnel and with the next start of the computer. None of it
 * can end the connection. They run the fixed words that stand here, and nothing else of a file runs anything (S56).
 */
const NAMES_BY_TUNNEL = [
  'script-security 2',
  `up "/bin/sh -c '${[
    // “dhcp-option DNS ADDRESS”, twice: what the host tells. $0 is the tunnel's device.
    'set $foreign_option_1 $foreign_option_2',
    'f=/run/$0 r=/etc/resolv.conf',
    // Of an openvpn that was killed.
    '[ -e $f ]&&umount $r',
    'resolvectl dns $0 $3 $6&&resolvectl domain $0 ~.',
    // Debian's resolvconf names that address in a comment.
    'grep -q ^n.*127.0.0.53 $r&&exit',
    '(echo nameserver $3;echo nameserver $6)>$f',
    'mount --bind $f $r',
    ':',
  ].join(';')}'"`,
  // Whoever writes that list was kept from it meanwhile.
  `down "/bin/sh -c '${[
    '[ -e /run/$0 ]&&umount -l /etc/resolv.conf&&rm /run/$0',
    'resolvconf -u',
    'nmcli general reload dns-rc',
    ':',
  ].join(';')}'"`,
];

/** For a device of which nobody knows what it is: elsewhere the lines would be programs that are not there. */
const NAMES_OFFERED = [
  '# Linux in a terminal: remove the # before the three lines, and names are looked up through the VPN.',
  ...NAMES_BY_TUNNEL.map(line => `#${line}`),
];

/** Lines that only devices of a kind have, or that one may have of which the kind is not known. */
function linesFor(device: Device): string[] {
  if (device === 'linux') return [...WITHOUT_IPV6, ...NAMES_BY_TUNNEL];
  return device === null ? [...WITHOUT_IPV6, ...NAMES_OFFERED] : [];
}

/** What the app shows a profile as: the brand, whatever signs the operator writes it with, and the key's name. */
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

/** What a file tells the app to do, the same for all of a subscription's devices. */
const directives = ({ remoteAddress, port, tcpPort, serverName }: Shared): string[] => [
  'client',
  'dev tun',
  // In the order in which they are tried: UDP is the faster one, TCP gets through where only the web does.
  `remote ${remoteAddress} ${port} udp`,
  ...(tcpPort ? [`remote ${remoteAddress} ${tcpPort} tcp`, `server-poll-timeout ${NEXT_WAY}`] : []),
  TRIES,
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
 * TCP in packets of 1,228 bytes at most, both ways: what the smallest path of IPv6 carries. Not `tun-mtu`: the server goes
 * on sending packets of its own size, and an app has no room for those.
 */
const SMALL_PACKETS = 'mssfix 1200';

/**
 * Names what a subscription's files say now. It is made of the very words, so that no change of them is forgotten; a
 * file that was made with another one is outdated, and goes on working.
 */
export const profileVersion = (shared: Shared): string =>
  createHash('sha256')
    .update([...directives(shared), ...linesFor(shared.device), shared.ca.trim()].join('\n'))
    .digest('hex')
    .slice(0, 12);

/**
 * The `.ovpn` file of one download. The directives are fixed: all tunnel tests connect by them with OpenVPN 2.6, and the
 * OpenVPN 3 core of the official apps (3.11.7) did once, by UDP and by TCP (0041); it refuses a profile that holds a server or
 * unknown word.
 * Routes and resolvers are pushed by the server, so they can change without a new download; so is `explicit-exit-notify`,
 * without which the server keeps the session of who has gone: beside TCP OpenVPN 2.5 refuses a file that has it.
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
    `setenv FRIENDLY_NAME "${friendlyName}"`,
    'verb 1',
    ...linesFor(profile.device),
    inline('ca', profile.ca),
    inline('cert', profile.certificate),
    inline('key', profile.key),
    inline('tls-crypt', profile.tlsCrypt),
  ].join('\n')}\n`;
}
