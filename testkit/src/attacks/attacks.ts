import type { Identity } from '@fixpoint/agent/identity.ts';
import { calls } from '@fixpoint/contract/calls.ts';
import type { Endpoint } from '@fixpoint/contract/endpoint.ts';
import { languages } from '@fixpoint/contract/languages.ts';
import { type AttackRequest, floodSocket, type Reply, sendAsHost } from './raw-requests.ts';

/** What an attacker has: the shop's address, their own account with a subscription, and at most a host's key. */
export type Target = {
  url: string;
  agentSocket: string;
  send(path: string, request?: AttackRequest): Promise<Reply>;
  /** The attacker's account as a customer. */
  customer: { token: string; email: string; subscriptionId: string; keyId: string };
  /** Identity of a compromised VPN host. */
  host: Identity;
  order: { metadata: string; token: string; productId: string; termsVersion: string };
  /** Solves the human check. */
  solveHumanCheck(): Promise<string>;
};

export type Attack = {
  /** Starts with the finding or requirement that it covers. */
  name: string;
  /** Only a compromised host of ours can make this attack. */
  byHost?: true;
  /** Number of concurrent attackers. */
  parallel: number;
  /** Makes one of many requests; `n` counts them. */
  action(target: Target, n: number): Promise<Reply>;
};

const KB = 1024;
/** Maximum length of a body. */
const BODY = 16 * KB;
/** Address in one of many networks. */
const network = (n: number): string => `198.18.${(n >> 8) & 255}.${n & 255}`;
const repeated = (part: string, bytes: number): string => part.repeat(Math.floor(bytes / part.length));
const wide = (open: string, part: string, bytes: number, close: string): string =>
  `${open}${repeated(`${part},`, bytes - open.length - close.length).slice(0, -1)}${close}`;

const everyCall = Object.values(calls).flatMap(group => Object.values(group)) as Endpoint[];
const withBody = everyCall.filter(({ body }) => body);

/** Bodies of maximum length that are slow to process for a careless program. */
const hostileBodies = [
  wide('{"id":"x","keys":[', '{}', BODY, ']}'),
  wide('{"id":"x","reasons":[', '0', BODY, ']}'),
  `{${Array.from({ length: 1_500 }, (_, n) => `"k${n}":1`).join(',')}}`,
  `${'['.repeat(8_000)}${']'.repeat(8_000)}`,
  `{"a":${'{"a":'.repeat(2_500)}1${'}'.repeat(2_501)}`,
  `{"email":"${repeated('a@', BODY - KB)}"}`,
  `{"humanCheck":"${Buffer.from(`{"challenge":{"parameters":${'['.repeat(5_000)}`).toString('base64')}"}`,
  `{"metadata":"${repeated('fixpoint|1|', BODY - KB)}"}`,
];

const forgedProof = (cost: number): string =>
  Buffer.from(
    JSON.stringify({
      challenge: {
        signature: '00'.repeat(32),
        parameters: {
          algorithm: 'PBKDF2/SHA-256',
          cost,
          nonce: '00'.repeat(16),
          salt: '00'.repeat(16),
          keyLength: 32,
          keyPrefix: '00',
          expiresAt: 4e9,
        },
      },
      solution: { counter: 1e9, derivedKey: '00'.repeat(32) },
    }),
  ).toString('base64');

const reportOf = (subscriptions: string, usage: string): string =>
  `{"revision":1,"agentVersion":"a","openvpnVersion":"b","subscriptions":${subscriptions},"usage":${usage}}`;
const anonymousReport = reportOf(wide('[', '{"id":1}', 3_800_000, ']'), '[]');
const invalidReport = reportOf('[]', wide('[', '{}', 500 * KB, ']'));
const longestReport = reportOf(
  `[${Array.from({ length: 2039 }, (_, n) => `{"id":"sub_${n}","state":"up"}`).join(',')}]`,
  `[${Array.from({ length: 2000 }, (_, n) => `{"keyId":"key_${n}","month":"2026-11","downBytes":1,"upBytes":1}`).join(',')}]`,
);

const names = Object.keys(languages);
const WRONG = 'Wrong!2345x';

/** Attacks that load the shop: those of past findings (FS) and others. */
export const attacks: Attack[] = [
  {
    name: 'FS2 a report of 3.8 MB without a certificate',
    parallel: 4,
    action: ({ agentSocket }) => sendAsHost(agentSocket, '/agent/v1/report', anonymousReport),
  },
  {
    name: 'FS2 a host’s longest report',
    byHost: true,
    parallel: 1,
    action: ({ agentSocket, host }) => sendAsHost(agentSocket, '/agent/v1/report', longestReport, host),
  },
  {
    name: 'FS2 a host’s report of 500 KB, all of it wrong',
    byHost: true,
    parallel: 1,
    action: ({ agentSocket, host }) => sendAsHost(agentSocket, '/agent/v1/report', invalidReport, host),
  },
  {
    name: 'FS5 texts of all languages, compressed in every way',
    parallel: 50,
    action: ({ send }, n) =>
      send(`/v1/uiText/lang?lang=${names[n % names.length]}`, {
        headers: { 'accept-encoding': ['br', 'gzip', 'identity'][n % 3]! },
      }),
  },
  {
    name: 'FS5 wrong passwords from fifty networks',
    parallel: 150,
    action: ({ send }, n) =>
      send('/v1/auth/login', {
        body: { email: `stranger${n}@example.com`, password: WRONG },
        from: network(n % 50),
      }),
  },
  {
    name: 'FS6 a customer adds and deletes keys',
    parallel: 8,
    action: ({ send, customer }, n) =>
      send('/v1/subscription/addKey', {
        body: { subscriptionId: customer.subscriptionId, name: `k${n}` },
        token: customer.token,
      }),
  },
  {
    name: 'FS6 a customer starts to confirm their identity, and changes their language',
    parallel: 16,
    action: ({ send, customer: { token } }, n) =>
      n % 2
        ? send('/v1/account/stepUpOptions', { body: {}, token })
        : send('/v1/account/setLanguage', { body: { language: n % 4 ? 'en' : 'th' }, token }),
  },
  {
    name: 'FS7 orders without end, from a thousand networks',
    parallel: 32,
    action: ({ send, order }, n) =>
      send('/v1/order/getMetaData', {
        body: { productId: order.productId, currency: 'THB' },
        from: network(n % 1000),
      }),
  },
  {
    name: 'FS7 the provider is asked again and again',
    parallel: 32,
    action: ({ send, order }, n) =>
      send('/v1/order/confirmPurchase', { body: { metadata: order.metadata }, from: network(n % 1000) }),
  },
  {
    name: 'FS8 codes for somebody’s password, from a thousand networks',
    parallel: 32,
    action: ({ send, customer }, n) =>
      send('/v1/auth/requestResetPassword', {
        body: { email: n % 2 ? customer.email : `nobody${n}@example.com` },
        from: network(n % 1000),
      }),
  },
  {
    name: 'FS10 guessed tokens of sockets, from a thousand networks',
    parallel: 64,
    action: ({ url }, n) => floodSocket(url, '0123456789abcdef'.repeat(2), network(n % 1000), ['40']),
  },
  {
    name: 'FS10 a flood of packets',
    parallel: 3,
    action: ({ url, order }, n) =>
      floodSocket(url, order.token, network(n % 1000), ['40', ...Array.from({ length: 3_500 }, () => '3')]),
  },
  {
    name: 'FS12 forged proofs of work that claim to be costly',
    parallel: 32,
    action: ({ send }, n) =>
      send('/v1/auth/login', {
        body: {
          email: `forger${n}@example.com`,
          password: WRONG,
          humanCheck: forgedProof(2 ** (n % 31)),
        },
        from: network(n % 1000),
      }),
  },
  {
    name: 'FS12 puzzles without end, from a thousand networks',
    parallel: 32,
    action: ({ send }, n) => send('/v1/account/humanCheck', { from: network(n % 1000) }),
  },
  {
    name: 'FS13 webhooks of 500 KB without a right signature',
    parallel: 8,
    action: ({ send }, n) =>
      send('/webhooks/stripe', {
        raw: `{"id":"evt_${n}","data":"${repeated('x', 500 * KB)}"}`,
        headers: {
          'stripe-signature': `t=${Math.floor(Date.now() / 1000)},${repeated(`v1=${'0'.repeat(64)},`, 6 * KB)}`,
        },
      }),
  },
  {
    name: 'S62 every call gets bodies that take long to read',
    parallel: 16,
    action: ({ send }, n) =>
      send(withBody[n % withBody.length]!.path, {
        raw: hostileBodies[Math.floor(n / withBody.length) % hostileBodies.length]!,
        from: network(n % 1000),
      }),
  },
  {
    name: 'S62 a customer downloads their key again and again',
    parallel: 8,
    action: ({ send, customer: { token, subscriptionId, keyId } }) =>
      send('/v1/subscription/downloadKey', { body: { subscriptionId, keyId }, token }),
  },
  {
    name: 'S62 a new password, looked up among the common ones',
    parallel: 2,
    action: async ({ send, order, solveHumanCheck }, n) =>
      send('/v1/customer/register', {
        body: {
          email: `new${n}@example.com`,
          password: `Nobody-knows-${n}`,
          language: 'en',
          termsVersion: order.termsVersion,
          humanCheck: await solveHumanCheck(),
        },
        from: network(n % 1000),
      }),
  },
];
