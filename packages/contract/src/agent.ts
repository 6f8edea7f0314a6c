import { z } from 'zod';

/**
 * What crosses between the shop and the agent on a VPN host (architecture rule 4: desired state, pulled).
 * The agent opens every connection; after enrolment all of them are mTLS with the host's own certificate.
 * Nothing here may ever carry a customer's address, a connection time or a destination (decisions, "Keys and hosts").
 */

const pem = z.string().startsWith('-----BEGIN ').max(20_000);
const ipv4 = z.ipv4();
/** Host-local number of a subscription: names its device and its tunnel network 10.64.0.0/10 + number × /24. */
const slot = z.int().min(1).max(2039);

/** POST /agent/v1/enrol — server-authenticated TLS only; the one-time token names the host. */
export const enrolRequest = z.strictObject({
  token: z.string().min(22).max(200),
  csr: pem,
});
export const enrolAnswer = z.object({
  hostId: z.string(),
  /** Client certificate of the host, 30 days; renewed with POST /agent/v1/renew (mTLS, body {csr}). */
  certificate: pem,
  ca: pem,
});

export const desiredKey = z.object({
  /** Common name of all certificates of this key, and the name of its client-config file. */
  id: z.string().regex(/^[a-z0-9_]{5,64}$/),
  /** Last octet of the key's fixed tunnel address (2..250). */
  address: z.int().min(2).max(250),
  /** The customer's own limit for this device; absent = whole rate of the plan. */
  rateMbit: z.number().positive().optional(),
});

export const desiredSubscription = z.object({
  id: z.string().regex(/^[a-z0-9_]{5,64}$/),
  slot,
  /** Address that the process binds and that traffic leaves with on this host. */
  bindAddress: ipv4,
  /** Address that the world sees; differs from bindAddress in clouds with 1:1 NAT. */
  publicAddress: ipv4,
  port: z.int().min(1).max(65_535),
  /** Line rate of the plan in Mbit/s, both directions each. */
  rateMbit: z.number().positive(),
  /** Name that clients verify (`verify-x509-name`), also the CN of the server certificate. */
  serverName: z.string(),
  ca: pem,
  serverCertificate: pem,
  serverKey: pem,
  tlsCrypt: pem,
  keys: z.array(desiredKey),
  /** Decimal serials of certificates that must be refused although their key still exists. */
  revokedSerials: z.array(z.string().regex(/^\d+$/)),
});

/**
 * GET /agent/v1/desired?revision=N&waitSeconds=S — answers at once when the host's revision is above N,
 * else holds the request for at most S seconds (≤ 25) and then answers 204.
 */
export const desiredQuery = z.object({
  revision: z.coerce.number().int().min(0).default(0),
  waitSeconds: z.coerce.number().int().min(0).max(25).default(25),
});
export const desiredSet = z.object({
  hostId: z.string(),
  /** Grows with every change of this host's set. The agent never applies a smaller one (S79). */
  revision: z.int().min(0),
  /** Resolver pushed to clients. */
  dns: z.array(ipv4).min(1),
  subscriptions: z.array(desiredSubscription),
});

/** POST /agent/v1/report — after each apply, and every 60 s for usage. */
export const hostReport = z.strictObject({
  revision: z.int().min(0),
  agentVersion: z.string().max(40),
  openvpnVersion: z.string().max(40),
  subscriptions: z.array(
    z.strictObject({
      id: z.string(),
      state: z.enum(['up', 'failed']),
      /** Short machine word when failed (`addressMissing`, `openvpnExited`…); never free text of a log. */
      reason: z.string().max(60).optional(),
    }),
  ),
  /** Totals of a month (Asia/Bangkok) since the agent began to count it: absolute, so a repeat changes nothing. */
  usage: z.array(
    z.strictObject({
      keyId: z.string(),
      month: z.string().regex(/^\d{4}-\d{2}$/),
      downBytes: z.int().min(0),
      upBytes: z.int().min(0),
    }),
  ),
});

export type EnrolRequest = z.infer<typeof enrolRequest>;
export type EnrolAnswer = z.infer<typeof enrolAnswer>;
export type DesiredKey = z.infer<typeof desiredKey>;
export type DesiredSubscription = z.infer<typeof desiredSubscription>;
export type DesiredSet = z.infer<typeof desiredSet>;
export type HostReport = z.infer<typeof hostReport>;

/** Header that carries the SHA-256 of the shop's agent-CA inside an enrolment token: `<host id>.<secret>.<fingerprint>`. */
export const enrolmentTokenParts = (token: string) => {
  const [hostId, secret, fingerprint] = token.split('.');
  return hostId && secret && fingerprint ? { hostId, secret, fingerprint } : undefined;
};
