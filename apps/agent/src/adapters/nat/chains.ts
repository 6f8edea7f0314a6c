import { NOT_INTERNET } from '@fixpoint/contract/agent.ts';
import { FIREWALL_MARK, SUBSCRIPTION_MARK_MASK, TUNNEL_PREFIX, TUNNELS } from '../../layout.ts';

/** The one table of ours; the operator's own tables stay untouched. */
export const TABLE = 'inet fixpoint';

export type NatOptions = {
  /** The host's network card. */
  wan: string;
  /** Whether customers may send mail to port 25 of others: a host that does ends on the lists of senders of spam. */
  smtp: 'closed' | 'open';
};

/** Connections of one device at the same time, in each family. A browser has hundreds; the kernel's table is everybody's. */
const FLOWS = 4000;
/** Those of all devices of a subscription together, in both families; and as many that strangers begin to them. */
const SUBSCRIPTION_FLOWS = 6000;
/** Whose a connection is, out of its mark. */
const SUBSCRIPTION_MARK = `ct mark & ${SUBSCRIPTION_MARK_MASK}`;

/** A server's address and port, to it and from it. */
const TO_SERVER = 'ip daddr . meta l4proto . th dport @vpn';
const FROM_SERVER = 'ip saddr . meta l4proto . th sport @vpn';

/** A tunnel over TCP passes a path of 1400 bytes whose routers say nothing, as one over UDP does. */
const narrow = (which: string) => `tcp flags syn ${which} tcp option maxseg size set 1360`;

/** The port at which somebody calls a device, with the addresses that he calls and that it has; and in what it answers. */
const CALLED = {
  '': 'ct original ip daddr . th dport . ip daddr',
  '6': 'ip6 daddr . th dport',
};
const ANSWERS = {
  '': 'ct original ip daddr . th sport . ip saddr',
  '6': 'ip6 saddr . th sport',
};
/** Of a connection that has begun, and no error about it: that has no port. */
const BEGUN = 'ct state established';
/** A call that is led to a device. */
const led = (family: '' | '6') =>
  `ct state new meta l4proto { tcp, udp } ${CALLED[family]} @forwarded${family}`;

/** What a host must hear about the way of its own packets, or it sends them too large for ever. */
const ERRORS = 'icmp type { destination-unreachable, time-exceeded, parameter-problem }';

type Chain = {
  name: string;
  /** Where the kernel hands packets over; absent in a chain that others lead to. */
  base?: { type: 'filter' | 'nat'; hook: string; prio: number; policy: 'accept' | 'drop' };
  rules: string[];
};

/**
 * Priorities of the kernel: before connections are tracked, where receivers are changed, where packets are filtered, where
 * senders are masked.
 */
const [RAW, DSTNAT, FILTER, SRCNAT] = [-300, -100, 0, 100];

/** The internet of IPv6. */
const INTERNET6 = '2000::/3';

/** Rules of each family. */
const both = (rules: (family: '' | '6') => string[]): string[] => (['', '6'] as const).flatMap(rules);

/** A connection that was let in, as its mark says, and that the other side has answered. */
const goesOn = (direction: 'original' | 'reply') => `${BEGUN} ct direction ${direction} ct mark != 0`;

/** What tunnels send, and what comes for them. */
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
        // Nearly all packets: what their connection may was looked at when it began.
        `${goesOn('original')} goto upward`,
        // Those that belong to no connection would leave with the tunnel's address.
        'ct state invalid drop',
        `ip daddr { ${NOT_INTERNET.join(', ')} } drop`,
        `ip6 daddr != ${INTERNET6} drop`,
        ...(smtp === 'closed' ? ['tcp dport 25 drop'] : []),
        ...both(family => [
          `ct state new add @flows${family} { ip${family} saddr ct count over ${FLOWS} } drop`,
        ]),
        // By which they are found and forgotten when the device has left.
        ...both(family => [`ct state new ct mark set ip${family} saddr map @marks${family}`]),
        `ct state new add @lines { ${SUBSCRIPTION_MARK} ct count over ${SUBSCRIPTION_FLOWS} } drop`,
        // What began before a port was closed ends with it.
        ...both(family => [`ct direction reply ${BEGUN} ${ANSWERS[family]} != @forwarded${family} drop`]),
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
        `${goesOn('reply')} goto downward`,
        'ct state invalid drop',
        ...both(family => [`ct state new ct mark set ip${family} daddr map @marks${family}`]),
        ...both(family => [
          `ct direction original ${BEGUN} ${CALLED[family]} != @forwarded${family} drop`,
          // Strangers never use up what a device may call itself.
          `${led(family)} add @calls${family} { ip${family} daddr ct count over ${FLOWS} } drop`,
          `${led(family)} add @called { ${SUBSCRIPTION_MARK} ct count over ${SUBSCRIPTION_FLOWS} } drop`,
        ]),
        ...['ct state established,related', led(''), led('6')].map(passes => `${passes} goto downward`),
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
 * Forwarding is closed by default: a tunnel reaches the internet by the network card and nothing else, neither another
 * tunnel nor the host nor what is private, and only for addresses that have a class. Sold addresses answer on the VPN's
 * ports alone, whatever else listens on the host.
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
        // The encrypted side is nobody's flow: strangers would fill the table with it, and it would name customers.
        `${TO_SERVER} notrack`,
        narrow(TO_SERVER),
      ],
    },
    {
      name: 'leave',
      base: { type: 'filter', hook: 'output', prio: RAW, policy: 'accept' },
      // Also from the relay of TCP, which is on this host, to a server.
      rules: [`${FROM_SERVER} notrack`, `${TO_SERVER} notrack`, narrow(FROM_SERVER)],
    },
    {
      // Clients ask their tunnel's own resolver, which nobody can answer beside the tunnel; the host's answers.
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

/** Rules are known again by their comments: the kernel tells the rest of them in words of its own. */
const commentOf = (chain: string, n: number): string => `fixpoint ${chain} ${n}`;

const definition = ({ base }: Chain): string =>
  base ? ` { type ${base.type} hook ${base.hook} priority ${base.prio}; policy ${base.policy}; }` : '';

/** Lines that make the chains exactly these, whatever was in them. All are there before one leads to another. */
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

/** What `nft -j list table` tells of chains and rules. */
export type Listed = {
  chain?: { name: string; type?: string; hook?: string; prio?: number; policy?: string };
  rule?: { chain: string; comment?: string; expr?: unknown };
};

/** Rules as the kernel tells them, by their comments. It does so in words of its own, and always in the same. */
export const listedRules = (listed: readonly Listed[]): string =>
  JSON.stringify(listed.flatMap(({ rule }) => (rule ? [[rule.chain, rule.comment, rule.expr]] : [])));

/** Whether there is a chain of somebody else: it stays, whatever these are made to be. */
export function hasOthers(listed: readonly Listed[], options: NatOptions): boolean {
  const own = new Set(chainsOf(options).map(({ name }) => name));
  return listed.some(({ chain }) => chain && !own.has(chain.name));
}

/** Whether the kernel has these chains with these rules in this order, and no others. */
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
