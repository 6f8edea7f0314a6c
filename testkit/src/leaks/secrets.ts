import { passwordRule } from '@fixpoint/contract/fields.ts';
import { parseMetadata, socketToken } from '@fixpoint/contract/metadata.ts';

/** Kinds of values that must not be found outside their place (S82). */
export type Kind =
  | 'e-mail address'
  | 'IP address'
  | 'password'
  | 'password hash'
  | 'code'
  | 'token'
  /** As long and random as our tokens; only the list of used tokens proves that it is one. */
  | 'what looks like a token'
  | 'private key'
  | 'card number';

/** The values that were used, for kinds without a recognizable shape. */
export type Secrets = Map<string, Kind>;

/** Secrets that the clients of this process (one test file) have sent and received. */
export const usedSecrets: Secrets = new Map();

/** Test values sent on purpose (`nobodys`, `AAAA…`) may appear anywhere. */
const isStandIn = (value: string) => new Set(value).size < 8;

type Note = { accepted: boolean; answered: boolean };

const noteOf: Record<string, (value: string, note: Note) => void> = {
  // A wrong password is often the right one elsewhere, so refused ones count too.
  password: value => keepIf(passwordRule(value) === undefined, value, 'password'),
  code: (value, { accepted }) => keepIf(accepted && /^\d{6}$/.test(value), value, 'code'),
  recoveryCodes: value => keepIf(true, value, 'code'),
  token(value, { accepted, answered }) {
    if (!accepted && !answered) return;
    // A refresh token starts with the id of its session, which is no secret.
    for (const part of [value, value.slice(value.indexOf('.') + 1)]) keepIf(!isStandIn(part), part, 'token');
  },
  metadata(value) {
    const order = parseMetadata(value);
    if (!order) return;
    keepIf(!isStandIn(order.check), order.check, 'token');
    keepIf(!isStandIn(order.reference), socketToken(order.reference), 'token');
  },
  profile(value) {
    // The first line of each key in the file: no log wraps it.
    for (const [, line] of value.matchAll(/(?:PRIVATE KEY|Static key V1)-----\s+(\S{32,})/g))
      keepIf(true, line!, 'private key');
  },
};
const sameAs: Record<string, keyof typeof noteOf> = {
  currentPassword: 'password',
  accessToken: 'token',
  refreshToken: 'token',
  grant: 'token',
  clientSecret: 'token',
  secret: 'token',
};

function keepIf(counts: boolean, value: string, kind: Kind): void {
  if (counts) usedSecrets.set(value, kind);
}

function noteAll(value: unknown, note: Note, name = ''): void {
  if (typeof value === 'string') noteOf[sameAs[name] ?? name]?.(value, note);
  else if (Array.isArray(value)) for (const item of value) noteAll(item, note, name);
  else if (value && typeof value === 'object')
    for (const [key, item] of Object.entries(value)) noteAll(item, note, key);
}

/** Records the secrets of a call, so that logs and tables can be searched for them. */
export function noteCall(sent: { body?: unknown; authorization?: string }, answer: { code: string }): void {
  const accepted = answer.code === '0000';
  noteAll(sent.body, { accepted, answered: false });
  noteAll(sent.authorization?.replace(/^Bearer /, ''), { accepted, answered: false }, 'token');
  noteAll(answer, { accepted, answered: true });
}
