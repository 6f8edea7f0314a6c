import { NOT_INTERNET } from '@fixpoint/contract/agent.ts';
import { FIREWALL_MARK, SUBSCRIPTION_MARK_MASK, TUNNEL_PREFIX, TUNNELS } from '../../layout.ts';

/** The agent's only table; the operator's own tables stay untouched. */
export const TABLE = 'inet fixpoint';

export type NatOptions = {
  /** The host's network card. */
  wan: string;
  /**
   * Whether customers may send mail to port 25. A host that allows it ends up on spam blocklists.
   */
  smtp: 'closed' | 'open';
};

/**
 * Maximum connections of a device per address family. A browser has hundreds, and all devices share
 * the kernel's table.
 */
const FLOWS = 4000;
/**
 * Maximum connections of all devices of a subscription in both families; the same number again for
 * incoming ones.
 */
const SUBSCRIPTION_FLOWS = 6000;
/** The subscription's part of a connection mark. */
const SUBSCRIPTION_MARK = `ct mark & ${SUBSCRIPTION_MARK_MASK}`;

/** Matches a server's address and port, as destination and as source. */
const TO_SERVER = 'ip daddr . meta l4proto . th dport @vpn';
const FROM_SERVER = 'ip saddr . meta l4proto . th sport @vpn';

/**
 * Bytes of a TCP segment outside the tunnel: with both headers it fits 1280 bytes, the smallest path
 * there is. Kernels find out only slowly, or never, that larger ones vanish.
 */
export const OUTER_SEGMENT = 1200;

/** Clamps TCP segments both ways, for paths whose routers drop what is too big and send no ICMP. */
const narrow = (which: string) => `tcp flags syn ${which} tcp option maxseg size set ${OUTER_SEGMENT}`;

/**
 * Called address, port and device address of a forwarded connection, and the same for its answers.
 */
const FORWARDED_CALL = {
  '': 'ct original ip daddr . th dport . ip daddr',
  '6': 'ip6 daddr . th dport',
};
const ANSWERS = {
  '': 'ct original ip daddr . th sport . ip saddr',
  '6': 'ip6 saddr . th sport',
};
/** Excludes ICMP errors about the connection, which have no port. */
const ESTABLISHED = 'ct state established';
/** Matches a new connection to a forwarded port. */
const newForwarded = (family: '' | '6') =>
  `ct state new meta l4proto { tcp, udp } ${FORWARDED_CALL[family]} @forwarded${family}`;

/** ICMP errors that a host needs for path MTU discovery of its own packets. */
const ERRORS = 'icmp type { destination-unreachable, time-exceeded, parameter-problem }';

type Chain = {
  name: string;
  /** Hook of a base chain; absent in a chain that is only jumped to. */
  base?: { type: 'filter' | 'nat'; hook: string; prio: number; policy: 'accept' | 'drop' };
  rules: string[];
};

/**
 * Hook priorities of the kernel: before connection tracking, destination NAT, filter, source NAT.
 */
const [RAW, DSTNAT, FILTER, SRCNAT] = [-300, -100, 0, 100];

/** Global unicast addresses of IPv6. */
const INTERNET6 = '2000::/3';

/** Returns the rules of both families. */
const both = (rules: (family: '' | '6') => string[]): string[] => (['', '6'] as const).flatMap(rules);

/** Matches an accepted connection (by its mark) that the other side has answered. */
const established = (direction: 'original' | 'reply') =>
  `${ESTABLISHED} ct direction ${direction} ct mark != 0`;

/** Rules for traffic from and to tunnels. */
function forwarding({ wan, smtp }: NatOptions): Chain[] {
  const tunnel = `"${TUNNEL_PREFIX}*"`;
  return [
    {
      name: 'forward',
      base: { type: 'filter', hook: 'forward', prio: FILTER, policy: 'drop' },
      rules: [`iifname ${tunnel} goto up`, `iifname "${wan}" goto down`],
    },
    {
      name: 'up',
      rules: [
        `oifname != "${wan}" drop`,
        // Fast path for nearly all packets: the rules for their connection were checked when it
        // started.
        `${established('original')} goto upward`,
        // Packets without a connection would leave with the tunnel address.
        'ct state invalid drop',
        `ip daddr { ${NOT_INTERNET.join(', ')} } drop`,
        `ip6 daddr != ${INTERNET6} drop`,
        ...(smtp === 'closed' ? ['tcp dport 25 drop'] : []),
        ...both(family => [
          `ct state new add @flows${family} { ip${family} saddr ct count over ${FLOWS} } drop`,
        ]),
        // The mark identifies the connections to delete when the device has disconnected.
        ...both(family => [`ct state new ct mark set ip${family} saddr map @marks${family}`]),
        `ct state new add @lines { ${SUBSCRIPTION_MARK} ct count over ${SUBSCRIPTION_FLOWS} } drop`,
        // Closing a port also ends its existing connections.
        ...both(family => [
          `ct direction reply ${ESTABLISHED} ${ANSWERS[family]} != @forwarded${family} drop`,
        ]),
        'goto upward',
      ],
    },
    {
      name: 'upward',
      rules: both(family => [
        `counter name ip${family} saddr map @upcnt${family}`,
        `meta priority set ip${family} saddr map @upprio${family} accept`,
      ]),
    },
    {
      name: 'down',
      rules: [
        `oifname != ${tunnel} drop`,
        `${established('reply')} goto downward`,
        'ct state invalid drop',
        ...both(family => [`ct state new ct mark set ip${family} daddr map @marks${family}`]),
        ...both(family => [
          `ct direction original ${ESTABLISHED} ${FORWARDED_CALL[family]} != @forwarded${family} drop`,
          // A limit of its own, so that strangers cannot exhaust a device's own connections.
          `${newForwarded(family)} add @calls${family} { ip${family} daddr ct count over ${FLOWS} } drop`,
          `${newForwarded(family)} add @called { ${SUBSCRIPTION_MARK} ct count over ${SUBSCRIPTION_FLOWS} } drop`,
        ]),
        ...['ct state established,related', newForwarded(''), newForwarded('6')].map(
          accepted => `${accepted} goto downward`,
        ),
      ],
    },
    {
      name: 'downward',
      rules: both(family => [
        `counter name ip${family} daddr map @downcnt${family}`,
        `meta priority set ip${family} daddr map @downprio${family} accept`,
      ]),
    },
  ];
}

/**
 * All chains. Forwarding is closed by default: a tunnel reaches only the internet through the
 * network card, and only from addresses that have a class. Sold addresses answer on the VPN ports
 * alone, whatever else listens on the host.
 */
function chainsOf(options: NatOptions): Chain[] {
  const { wan } = options;
  const tunnel = `"${TUNNEL_PREFIX}*"`;
  const setMark = `meta mark set meta mark or ${FIREWALL_MARK}`;
  return [
    {
      name: 'arrive',
      base: { type: 'filter', hook: 'prerouting', prio: RAW, policy: 'accept' },
      rules: [
        `iifname ${tunnel} ${setMark} accept`,
        `iifname "${wan}" ${setMark}`,
        // Encrypted traffic is not tracked: strangers would fill the table, and entries would name
        // customers.
        `${TO_SERVER} notrack`,
        narrow(TO_SERVER),
      ],
    },
    {
      name: 'leave',
      base: { type: 'filter', hook: 'output', prio: RAW, policy: 'accept' },
      // Includes traffic from the TCP relay on this host to a server.
      rules: [`${FROM_SERVER} notrack`, `${TO_SERVER} notrack`, narrow(FROM_SERVER)],
    },
    {
      // Clients use their tunnel's own resolver address, which nobody can answer outside the
      // tunnel; the host's resolver answers.
      name: 'resolve',
      base: { type: 'nat', hook: 'prerouting', prio: DSTNAT, policy: 'accept' },
      rules: [
        `iifname ${tunnel} ip daddr ${TUNNELS} meta l4proto { tcp, udp } th dport 53 dnat ip to ip daddr & 0.0.0.255 map @resolvers`,
      ],
    },
    {
      name: 'lead',
      base: { type: 'nat', hook: 'prerouting', prio: DSTNAT, policy: 'accept' },
      rules: [`iifname "${wan}" meta l4proto { tcp, udp } dnat ip to ip daddr . th dport map @forwards`],
    },
    ...forwarding(options),
    {
      name: 'input',
      base: { type: 'filter', hook: 'input', prio: FILTER, policy: 'accept' },
      rules: [
        `iifname ${tunnel} drop`,
        `${TO_SERVER} accept`,
        `ip daddr @sold ${ERRORS} accept`,
        'ip daddr @sold drop',
      ],
    },
    {
      name: 'post',
      base: { type: 'nat', hook: 'postrouting', prio: SRCNAT, policy: 'accept' },
      rules: [`oifname "${wan}" snat ip to ip saddr map @snat4`],
    },
  ];
}

/** Rules are identified by their comments, because the kernel rewrites the expressions. */
const commentOf = (chain: string, n: number): string => `fixpoint ${chain} ${n}`;

const definition = ({ base }: Chain): string =>
  base ? ` { type ${base.type} hook ${base.hook} priority ${base.prio}; policy ${base.policy}; }` : '';

/**
 * Lines that make the chains exactly these, whatever they contained. Chains are created before any
 * jump to them.
 */
export function chainLines(options: NatOptions): string[] {
  const chains = chainsOf(options);
  return [
    ...chains.flatMap(chain => [
      `add chain ${TABLE} ${chain.name}${definition(chain)}`,
      `flush chain ${TABLE} ${chain.name}`,
    ]),
    ...chains.flatMap(({ name, rules }) =>
      rules.map((rule, n) => `add rule ${TABLE} ${name} ${rule} comment "${commentOf(name, n)}"`),
    ),
  ];
}

/** Chains and rules as listed by `nft -j list table`. */
export type Listed = {
  chain?: { name: string; type?: string; hook?: string; prio?: number; policy?: string };
  rule?: { chain: string; comment?: string; expr?: unknown };
};

/** Returns rules by their comments, in the kernel's own notation, which is stable. */
export const listedRules = (listed: readonly Listed[]): string =>
  JSON.stringify(listed.flatMap(({ rule }) => (rule ? [[rule.chain, rule.comment, rule.expr]] : [])));

/** Whether the table has a foreign chain, which a reset would not remove. */
export function hasOthers(listed: readonly Listed[], options: NatOptions): boolean {
  const own = new Set(chainsOf(options).map(({ name }) => name));
  return listed.some(({ chain }) => chain && !own.has(chain.name));
}

/** Whether the kernel has exactly these chains with these rules in this order. */
export function isWhole(listed: readonly Listed[], options: NatOptions): boolean {
  const commentsIn = (name: string) =>
    listed.flatMap(({ rule }) => (rule?.chain === name ? [rule.comment] : []));
  const is = listed.flatMap(({ chain }) =>
    chain ? [[chain.name, chain.type, chain.hook, chain.prio, chain.policy, ...commentsIn(chain.name)]] : [],
  );
  const desired = chainsOf(options).map(({ name, base, rules }) => [
    ...[name, base?.type, base?.hook, base?.prio, base?.policy],
    ...rules.map((_, n) => commentOf(name, n)),
  ]);
  return JSON.stringify(is.sort()) === JSON.stringify(desired.sort());
}
