import { z } from 'zod';
import { PORT_MIN } from './fields.ts';
import { isInternet6, length6 } from './ipv6.ts';

/**
 * What crosses between the shop and the agent on a VPN host (desired state, pulled: H4).
 * The agent opens every connection; after enrolment all of them are mTLS with the host's own certificate.
 * Nothing here may ever carry a customer's address, a connection time or a destination (K10).
 *
 * Shop and agent may be one version apart. Both drop members that they do not know, a new member is optional, and a new
 * word of an enumeration is understood by the shop one version before an agent says it (docs/contribute/migrate.md).
 */

/**
 * Exactly one PEM block of that label and nothing around it: these texts are written into configuration files, where
 * a stray line would be a directive.
 */
const pem = (label: string) =>
  z
    .string()
    .max(20_000)
    .regex(new RegExp(`^-----BEGIN ${label}-----\\n[A-Za-z0-9+/=\\n]+\\n-----END ${label}-----\\n?$`));
const certificate = pem('CERTIFICATE');
const signingRequest = pem('CERTIFICATE REQUEST');
const ipv4 = z.ipv4();

/** Parts of a routed IPv6 prefix that subscriptions get: OpenVPN takes none larger, and devices need some room. */
export const PREFIX6 = { largest: 64, smallest: 120 } as const;
const prefix6 = z
  .cidrv6({ abort: true })
  .refine(isInternet6)
  .refine(prefix => length6(prefix) >= PREFIX6.largest && length6(prefix) <= PREFIX6.smallest);
/** Ids of keys and subscriptions are file names and names of firewall objects on a host: this alphabet only. */
const id = z.string().regex(/^[a-z0-9_]{5,64}$/);
/** A host runs so many subscriptions at most: what the kernel has numbers of traffic classes for. */
export const SLOTS = 2039;
/** Host-local number of a subscription: names its device and its tunnel network 10.64.0.0/13 + number × /24. */
const slot = z.int().min(1).max(SLOTS);
const port = z.int().min(1).max(65_535);
const rateMbit = z.number().min(0.1).max(100_000);

/**
 * What is not the internet (RFC 6890), so that no tunnel leads there and no resolver of customers can be there: this
 * network, private, carrier's, loopback, link-local with the cloud's metadata, protocol assignments, benchmarks,
 * multicast and reserved. The ranges for documentation go nowhere, except in the demo.
 */
export const NOT_INTERNET = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
  ...['192.0.0.0/24', '192.168.0.0/16', '198.18.0.0/15', '224.0.0.0/3'],
] as const;

/** Name in the shop's certificate for VPN hosts: an agent asks for it whatever address it dials. */
export const SHOP_AGENT_NAME = 'shop.agent.fixpoint';

/** POST /agent/v1/enrol — server-authenticated TLS only; the one-time token names the host. */
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

/** POST /agent/v1/renew — mTLS with the certificate that is about to end; a new key pair, answered as at enrolment. */
export const renewRequest = z.object({ csr: signingRequest });

export const desiredKey = z.object({
  /** Common name of all certificates of this key, and the name of its client-config file. */
  id,
  /** Last octet of the key's fixed tunnel address: 2..32, because a subscription has 31 traffic classes for keys. */
  address: z.int().min(2).max(32),
  /** The customer's own limit for this device; absent = whole rate of the plan. */
  rateMbit: rateMbit.optional(),
  /** TCP and UDP of this port lead from the internet to this device: of the sold address, and of its own one of IPv6. */
  forwardedPort: port.min(PORT_MIN).optional(),
});

/** Key ids that begin so are probes' own, and no customer's. */
export const PROBE = 'probe_';

/**
 * A throw-away key with which the host connects to a server that it has just brought up, as a customer would, to see whether
 * it delivers. It is let in as long as it is in the set, and counts as no device.
 */
const probe = desiredKey.pick({ id: true, address: true }).extend({ certificate, key: pem('PRIVATE KEY') });

export const desiredSubscription = z.object({
  id,
  slot,
  /** Address that the process binds and that traffic leaves with on this host. */
  bindAddress: ipv4,
  /** Address that the world sees; differs from bindAddress in clouds with 1:1 NAT. */
  publicAddress: ipv4,
  /** IPv6 prefix that is routed to this host, for its devices alone; absent: IPv6 ends in the tunnel. */
  prefix6: prefix6.optional(),
  /** Of UDP, where its server answers. */
  port,
  /** Of TCP, which leads to the same server, for networks that let no UDP through; absent: there is none. */
  tcpPort: port.optional(),
  /** Line rate of the plan in Mbit/s, both directions each. */
  rateMbit,
  /** Nobody is let in for now: it has no keys here, and none of them was deleted. */
  suspended: z.literal(true).optional(),
  /** From then on the host refuses it by itself, with the shop away too; absent: as long as it is in the set. */
  endsAt: z.iso.datetime().optional(),
  ca: certificate,
  serverCertificate: certificate,
  serverKey: pem('PRIVATE KEY'),
  tlsCrypt: pem('OpenVPN Static key V1'),
  keys: z.array(desiredKey).max(31),
  /** It has not been shown to work yet; absent: it has. */
  probe: probe.optional(),
  /**
   * Certificates that must be refused, by decimal serial. The key is named so that only its own session is ended
   * when a serial is added; it may be a deleted one. Drop entries whose certificate has expired. `endsAt`: when it does;
   * absent: of an earlier version.
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
 * GET /agent/v1/desired?revision=N&waitSeconds=S — answers at once when the host's revision is above N,
 * else holds the request for at most S seconds (≤ 25) and then answers 204. It answers with what has changed since N
 * where it knows that, else with everything; always with everything to 0. 410: another machine is this host now, or none
 * any more; this one ends its tunnels and says so (POST /agent/v1/stopped).
 */
/** A host that says more is broken: the shop would count on behind it. */
const MOST_REVISIONS = 2 ** 50;

export const desiredQuery = z.object({
  revision: z.coerce.number().int().min(0).max(MOST_REVISIONS).default(0),
  waitSeconds: z.coerce.number().int().min(0).max(25).default(25),
});
export const desiredSet = z.object({
  hostId: z.string(),
  /** Grows with every change of this host's set. The agent never applies a smaller one (S79). */
  revision: z.int().min(0),
  /** Resolvers that clients' questions are led to. */
  dns: z.array(ipv4).min(1).max(4),
  /** A host that has reached the shop for so long not any more ends all of it by itself. */
  leaseSeconds: z.int().min(1),
  subscriptions: z.array(desiredSubscription),
  /** What another host serves from now on: their clients are told to come back, where others are told to stop. */
  moved: z.array(id),
  /**
   * It does not follow from the revision that the host has: the shop was restored from a backup, or the host was. What has
   * ended on the host must not come back by it.
   */
  restored: z.literal(true).optional(),
});
/** The same as difference: `subscriptions` are those that are new or not as before, `gone` those that are no more. */
export const desiredChanges = desiredSet.extend({ base: z.int().min(1), gone: z.array(id) });
export const desiredAnswer = z.union([desiredChanges, desiredSet]);

/** A list whose length is looked at before a single item is: a wrong one costs no more than a right one. */
const listOf = <T extends z.ZodType>(item: T, most: number) =>
  z.custom<unknown[]>(given => Array.isArray(given) && given.length <= most).pipe(z.array(item));

/** Names one question of one customer. */
const questionId = z.string().regex(/^[A-Za-z0-9_-]{22,64}$/);
/**
 * What a held request for the desired set may be answered with instead: a customer looks for what is wrong with his VPN.
 * `restart`: the process of that subscription is to restart before. Answered by POST /agent/v1/answer.
 */
export const hostQuestions = z.object({
  questions: z.array(z.object({ id: questionId, subscriptionId: id, restart: z.boolean() })).min(1),
});

/**
 * What a device's try to connect came to. `unknownKey`: its key is none of the subscription's. `refused`: its certificate
 * is not taken any more, or not yet. `unanswered`: it began, and does not go on with what the host answers.
 */
const deviceOutcomes = ['connected', 'unknownKey', 'refused', 'unanswered'] as const;
const devicesSeen = listOf(
  z.object({
    outcome: z.enum(deviceOutcomes),
    /** Where the handshake had come so far that the key was named. */
    keyId: id.optional(),
  }),
  64,
);
/**
 * POST /agent/v1/answer — what is seen of a subscription's devices just now. A key and a class: no address, no time, and
 * it is told to nobody but the customer who asks, who gets it and it is gone.
 */
export const hostAnswer = z.object({ question: questionId, devices: devicesSeen });

/** So many totals in one report; a host that has more sends several. Reading one must not hold up a customer's call. */
export const USAGE_A_REPORT = 2_000;

/**
 * What a host has of a right: addresses, devices, settings of its kernel, rules of the firewall, rates, files that let clients
 * in, servers, sessions, ports of TCP. And the set on its disk, by which it serves when it starts while the shop is away.
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
 * What a probe looks at. `probe`: whether the host can run one at all. `tunnel`: handshake, and the key's own address.
 * `address`: what goes out has the sold address. `address6`: IPv6 goes out with the device's own address and is answered.
 * `dns`: the tunnel's resolver answers, so what is sent to the sold address arrives here. `rate`: the line has its limits.
 * `tcp`: where a port of TCP is sold, a handshake by it as well.
 */
const CHECKS = ['probe', 'tunnel', 'address', 'address6', 'dns', 'rate', 'tcp'] as const;

/** POST /agent/v1/report — after each apply, and every 60 s for usage. Answered by `reportAnswer`. */
export const hostReport = z.object({
  revision: z.int().min(0),
  agentVersion: z.string().max(40),
  openvpnVersion: z.string().max(40),
  /** What the clock on the host's wall says; somebody is told when that is wrong. Absent: of an earlier version. */
  time: z.iso.datetime().optional(),
  subscriptions: listOf(
    z.object({
      id,
      /** `checking`: its server runs, and its probe has not come to an end. */
      state: z.enum(['up', 'checking', 'failed']),
      /** Short machine word when failed (`ownAddress`, `openvpnExited`…); never free text of a log. */
      reason: z.string().max(60).optional(),
      /** Of one that is up and had a probe: what that could not show. None: it was shown to work. Absent: nobody has looked. */
      unproven: listOf(z.enum(CHECKS), CHECKS.length).optional(),
    }),
    SLOTS,
  ),
  /**
   * Addresses by which the machine itself reaches the internet: its own, and its next router's. Subscriptions that are bound
   * to one fail (`ownAddress`), and nobody else shall get it. Absent: of an earlier version.
   */
  ownAddresses: listOf(ipv4, 4).optional(),
  /**
   * Where the host's kernel is not what the set says, after it was put right: more than anybody has paid for, or less. Empty
   * where both say the same.
   */
  drift: listOf(
    z.object({ what: z.enum(DRIFTS), more: z.int().min(0), missing: z.int().min(0) }),
    DRIFTS.length,
  ),
  /**
   * Names this host's count, which began at nothing. A host that was set up again begins another, and what the one before
   * had counted stays.
   */
  epoch: z.string().regex(/^[a-z0-9]{4,32}$/),
  /**
   * Totals of a day (Asia/Bangkok) in this count: absolute, so a repeat changes nothing. Only of days that are over, and of
   * keys that the host does not run any more: told oftener, they would say when somebody was there (K11).
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

/** `now`: the time that the shop has. Hosts go by it, and not by their own clocks (decision 54). */
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

/** An enrolment token is `<host id>.<secret>.<fingerprint>`; the last is the SHA-256 of the host authority's certificate. */
export const enrolmentTokenParts = (token: string) => {
  const [hostId, secret, fingerprint] = token.split('.');
  return hostId && secret && fingerprint ? { hostId, secret, fingerprint } : undefined;
};
