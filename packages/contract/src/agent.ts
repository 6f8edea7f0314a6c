import { z } from 'zod';
import { MOST_DEVICES, PORT_MIN } from './fields.ts';
import { isInternet6, length6 } from './ipv6.ts';

/**
 * Protocol between the shop and the agent on a VPN host, which pulls its desired state (H4). The
 * agent opens every connection; after enrolment all of them are mTLS with the host's own
 * certificate. Nothing here may ever carry a customer's address, a connection time or a destination
 * (K10).
 *
 * Shop and agent may be one version apart. Both ignore unknown members, new members are optional,
 * and the shop understands a new enumeration value one version before an agent sends it
 * (docs/contribute/migrate.md).
 */

/**
 * Exactly one PEM block of that label: it is written into configuration files, where a stray line
 * would be a directive.
 */
const pem = (label: string) =>
  z
    .string()
    .max(20_000)
    .regex(new RegExp(`^-----BEGIN ${label}-----\\n[A-Za-z0-9+/=\\n]+\\n-----END ${label}-----\\n?$`));
const certificate = pem('CERTIFICATE');
const signingRequest = pem('CERTIFICATE REQUEST');
const ipv4 = z.ipv4();

/**
 * Range of prefix lengths for subscriptions: OpenVPN supports none shorter, and devices need some
 * room.
 */
export const PREFIX6 = { largest: 64, smallest: 120 } as const;
const prefix6 = z
  .cidrv6({ abort: true })
  .refine(isInternet6)
  .refine(prefix => length6(prefix) >= PREFIX6.largest && length6(prefix) <= PREFIX6.smallest);
/** Ids become names of files and firewall objects on a host: this alphabet only. */
const id = z.string().regex(/^[a-z0-9_]{5,64}$/);
/**
 * Maximum number of subscriptions on a host, limited by the kernel's numbers of traffic classes.
 */
export const SLOTS = 2039;
/**
 * Number of a subscription on its host: names its device and its tunnel network 10.64.0.0/13 +
 * number × /24.
 */
const slot = z.int().min(1).max(SLOTS);
const port = z.int().min(1).max(65_535);
const rateMbit = z.number().min(0.1).max(100_000);

/**
 * Networks that are not the internet (RFC 6890): no tunnel leads there, and no resolver of
 * customers may be there. Private, carrier, loopback, link-local with cloud metadata, protocol
 * assignments, benchmarks, multicast and reserved. Documentation ranges are absent, because the
 * demo uses them.
 */
export const NOT_INTERNET = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
  ...['192.0.0.0/24', '192.168.0.0/16', '198.18.0.0/15', '224.0.0.0/3'],
] as const;

/** Name in the shop's certificate for VPN hosts. An agent expects it whatever address it dials. */
export const SHOP_AGENT_NAME = 'shop.agent.fixpoint';

/** POST /agent/v1/enrol: TLS with a server certificate only; the one-time token names the host. */
export const enrolRequest = z.object({
  token: z.string().min(22).max(200),
  csr: signingRequest,
});
export const enrolAnswer = z.object({
  hostId: z.string(),
  /** Client certificate of the host, 30 days. */
  certificate,
  ca: certificate,
});

/**
 * POST /agent/v1/renew: mTLS with the expiring certificate, for a new key pair. Answered like an
 * enrolment.
 */
export const renewRequest = z.object({ csr: signingRequest });

export const desiredKey = z.object({
  /** Common name of all certificates of this key, and the name of its client-config file. */
  id,
  /**
   * Last octet of the key's fixed tunnel address: 2–32, because a subscription has 31 traffic
   * classes for keys.
   */
  address: z.int().min(2).max(32),
  /** The customer's own limit for this device; absent: the full rate of the plan. */
  rateMbit: rateMbit.optional(),
  /**
   * This port (TCP and UDP) of the sold address, and of the device's own IPv6 address, is forwarded
   * to this device.
   */
  forwardedPort: port.min(PORT_MIN).optional(),
  /**
   * When it ends, its client is told to reconnect instead of to stop: a client that was set up to
   * block the internet then keeps its routes. Absent: it stops.
   */
  blockWhenEnded: z.literal(true).optional(),
});

/** Prefix of key ids that belong to probes, never to customers. */
export const PROBE = 'probe_';

/**
 * Throw-away key of the delivery check: the host connects like a customer to a server that it has
 * just started. The key works while it is in the set and does not count as a device.
 */
const probe = desiredKey.pick({ id: true, address: true }).extend({ certificate, key: pem('PRIVATE KEY') });

export const desiredSubscription = z.object({
  id,
  slot,
  /** Address that the process binds and that traffic leaves with on this host. */
  bindAddress: ipv4,
  /** Address that the world sees; differs from bindAddress in clouds with 1:1 NAT. */
  publicAddress: ipv4,
  /**
   * IPv6 prefix routed to this host for the subscription's devices; absent: IPv6 ends in the
   * tunnel.
   */
  prefix6: prefix6.optional(),
  /** UDP port of its server. */
  port,
  /** TCP port that leads to the same server, for networks that block UDP; absent: none. */
  tcpPort: port.optional(),
  /** Line rate of the plan in Mbit/s, both directions each. */
  rateMbit,
  /** No device may connect for now: its keys are absent here, but not deleted. */
  suspended: z.literal(true).optional(),
  /**
   * From this instant the host refuses it even without the shop; absent: it serves it as long as it
   * is in the set.
   */
  endsAt: z.iso.datetime().optional(),
  ca: certificate,
  serverCertificate: certificate,
  serverKey: pem('PRIVATE KEY'),
  tlsCrypt: pem('OpenVPN Static key V1'),
  keys: z.array(desiredKey).max(MOST_DEVICES),
  /** Present until its delivery check is done. */
  probe: probe.optional(),
  /**
   * Certificates to refuse, by decimal serial. `keyId` (perhaps of a deleted key) limits the
   * disconnect to the key's own connection. `endsAt`: expiry, after which the entry is dropped;
   * absent: from an earlier version.
   */
  revoked: z.array(
    z.object({
      keyId: id,
      serial: z.string().regex(/^\d{1,48}$/),
      endsAt: z.iso.datetime().optional(),
    }),
  ),
});

/**
 * Upper bound of revisions. A host that reports a higher one is broken: the shop would continue
 * counting from it.
 */
const MOST_REVISIONS = 2 ** 50;
/**
 * GET /agent/v1/desired?revision=N&waitSeconds=S answers at once when the host's revision is above
 * N, otherwise after at most S seconds (≤ 25) with 204. It answers with the changes since N if they
 * are known, otherwise (and for N = 0) with the whole set. 410: this machine is not the host any
 * more; it stops its tunnels and confirms with POST /agent/v1/stopped.
 */
export const desiredQuery = z.object({
  revision: z.coerce.number().int().min(0).max(MOST_REVISIONS).default(0),
  waitSeconds: z.coerce.number().int().min(0).max(25).default(25),
});
export const desiredSet = z.object({
  hostId: z.string(),
  /** Grows with every change of this host's set. The agent never applies a smaller one (S79). */
  revision: z.int().min(0),
  /** Resolvers to which the clients' DNS queries are redirected. */
  dns: z.array(ipv4).min(1).max(4),
  /** A host that has not reached the shop for this long stops everything by itself. */
  leaseSeconds: z.int().min(1),
  subscriptions: z.array(desiredSubscription),
  /**
   * Subscriptions that another host serves from now on: their clients are told to reconnect, others
   * to stop.
   */
  moved: z.array(id),
  /**
   * The set does not continue the host's revision, because the shop or the host was restored from a
   * backup. Entities with a tombstone on the host must not come back by it.
   */
  restored: z.literal(true).optional(),
});
/** The same as a difference: `subscriptions` are new or changed, `gone` are removed. */
export const desiredChanges = desiredSet.extend({ base: z.int().min(1), gone: z.array(id) });
export const desiredAnswer = z.union([desiredChanges, desiredSet]);

/** A list whose length is checked before its items, so that an oversized one costs nothing. */
const listOf = <T extends z.ZodType>(item: T, most: number) =>
  z.custom<unknown[]>(given => Array.isArray(given) && given.length <= most).pipe(z.array(item));

/** Id of one question of one customer. */
const questionId = z.string().regex(/^[A-Za-z0-9_-]{22,64}$/);
/**
 * Alternative answer to a waiting request for the desired set: a customer runs a diagnosis.
 * `restart`: restart the process of that subscription first. The host answers with POST
 * /agent/v1/answer.
 */
export const hostQuestions = z.object({
  questions: z.array(z.object({ id: questionId, subscriptionId: id, restart: z.boolean() })).min(1),
});

/**
 * Result of a device's connection attempt. `unknownKey`: not a key of the subscription. `refused`:
 * its certificate is not valid any more, or not yet. `unanswered`: it began but does not react to
 * the host's reply.
 */
const deviceOutcomes = ['connected', 'unknownKey', 'refused', 'unanswered'] as const;
const devicesSeen = listOf(
  z.object({
    outcome: z.enum(deviceOutcomes),
    /** Present if the handshake got far enough to name the key. */
    keyId: id.optional(),
    /**
     * Connected only just now: another device with the same file may be about to push it out.
     * Absent: it has been there for longer, or an earlier version.
     */
    justConnected: z.literal(true).optional(),
    /** Sessions of this key replace each other: two devices use one file. */
    usedTwice: z.literal(true).optional(),
  }),
  64,
);
/**
 * POST /agent/v1/answer: the devices of a subscription that the host sees right now. A key and an
 * outcome, no address and no time; only the customer who asked gets it, and it is not stored.
 */
export const hostAnswer = z.object({ question: questionId, devices: devicesSeen });

/**
 * Maximum totals per report; a host with more sends several, so that reading one does not delay
 * customers' calls.
 */
export const USAGE_A_REPORT = 2_000;

/**
 * Kinds of host state that can differ from the desired set. `savedSet` is the copy on its disk,
 * from which the host serves when it starts while the shop is unreachable.
 */
const DRIFTS = [
  'address',
  'device',
  'setting',
  'firewall',
  'rate',
  'client',
  'process',
  'session',
  'relay',
  'savedSet',
] as const;

/**
 * Delivery checks. `probe`: the host can run a probe. `tunnel`: handshake and the key's own
 * address. `address`: traffic leaves with the sold address. `address6`: IPv6 leaves with the
 * device's own address and is answered. `dns`: the tunnel's resolver answers, so packets to the
 * sold address arrive. `rate`: the line has its limits. `tcp`: a handshake over the TCP port works.
 */
const CHECKS = ['probe', 'tunnel', 'address', 'address6', 'dns', 'rate', 'tcp'] as const;

/**
 * POST /agent/v1/report: after each apply, and every 60 s for usage. Answered by `reportAnswer`.
 */
export const hostReport = z.object({
  revision: z.int().min(0),
  agentVersion: z.string().max(40),
  openvpnVersion: z.string().max(40),
  /** The host's system clock; a wrong one raises an alert. Absent: an earlier version. */
  time: z.iso.datetime().optional(),
  subscriptions: listOf(
    z.object({
      id,
      /** `checking`: its server runs, and its delivery check is not done. */
      state: z.enum(['up', 'checking', 'failed']),
      /**
       * Machine-readable cause when failed (`ownAddress`, `openvpnExited`…); never text of a log.
       */
      reason: z.string().max(60).optional(),
      /** Failed checks of a subscription that is up. Empty: all passed. Absent: not checked. */
      unproven: listOf(z.enum(CHECKS), CHECKS.length).optional(),
    }),
    SLOTS,
  ),
  /**
   * Addresses by which the machine itself reaches the internet: its own and its router's.
   * Subscriptions bound to one fail (`ownAddress`), and the shop must not assign it. Absent: an
   * earlier version.
   */
  ownAddresses: listOf(ipv4, 4).optional(),
  /**
   * Remaining differences between the host's kernel and the set after a correction. Empty: none.
   */
  drift: listOf(
    z.object({ what: z.enum(DRIFTS), more: z.int().min(0), missing: z.int().min(0) }),
    DRIFTS.length,
  ),
  /**
   * Id of this host's usage counters. A host that was set up again starts new ones; earlier totals
   * stay.
   */
  epoch: z.string().regex(/^[a-z0-9]{4,32}$/),
  /**
   * Absolute totals per day (Asia/Bangkok), so that a repeat changes nothing. Only for past days
   * and removed keys: more frequent totals would reveal when a customer was online (K11).
   */
  usage: listOf(
    z.object({
      keyId: id,
      day: z.iso.date(),
      downBytes: z.int().min(0),
      upBytes: z.int().min(0),
    }),
    USAGE_A_REPORT,
  ),
});

/** `now`: the shop's time, which hosts use instead of their own clocks (decision 54). */
export const reportAnswer = z.object({ now: z.iso.datetime() });

export type EnrolRequest = z.infer<typeof enrolRequest>;
export type EnrolAnswer = z.infer<typeof enrolAnswer>;
export type RenewRequest = z.infer<typeof renewRequest>;
export type DesiredKey = z.infer<typeof desiredKey>;
export type DesiredSubscription = z.infer<typeof desiredSubscription>;
export type DesiredSet = z.infer<typeof desiredSet>;
export type DesiredChanges = z.infer<typeof desiredChanges>;
export type DesiredAnswer = z.infer<typeof desiredAnswer>;
export type HostQuestion = z.infer<typeof hostQuestions>['questions'][number];
export type HostQuestions = z.infer<typeof hostQuestions>;
export type DeviceSeen = z.infer<typeof hostAnswer>['devices'][number];
export type HostAnswer = z.infer<typeof hostAnswer>;
export type Check = (typeof CHECKS)[number];
export type Probe = z.infer<typeof probe>;
export type Drift = HostReport['drift'][number];
export type ReportAnswer = z.infer<typeof reportAnswer>;
export type HostReport = z.infer<typeof hostReport>;

/**
 * Parts of an enrolment token `<host id>.<secret>.<fingerprint>`, the latter the SHA-256 of the
 * host authority's certificate.
 */
export const enrolmentTokenParts = (token: string) => {
  const [hostId, secret, fingerprint] = token.split('.');
  return hostId && secret && fingerprint ? { hostId, secret, fingerprint } : undefined;
};
