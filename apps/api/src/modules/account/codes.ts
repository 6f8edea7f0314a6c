import {
  CODE_LIFETIME_MS,
  CODE_TRIES,
  canTry,
  decideSend,
  GRANT_LIFETIME_MS,
  RESEND_MS,
} from '@fixpoint/domain/account/challenge.ts';
import { type Selectable, sql } from 'kysely';
import type { Logger } from 'pino';
import { newToken, tokenHash } from '../../crypto/secrets.ts';
import { type Refusal, refuse, wantProof } from '../../kernel/refusal.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import type { Jobs } from '../../ports/jobs.ts';
import type { Limits } from '../../ports/limits.ts';
import type { Tables } from '../../ports/tables.ts';

export type Purpose = 'signUp' | 'resetPassword' | 'changePassword' | 'changeEmail';
export type Challenge = Selectable<Tables['challenge']>;
export type CodeSent = { flow: string; resendIn: number; expiresIn: number };
export type CodeDeps = {
  db: Db;
  clock: Clock;
  jobs: Jobs;
  limits: Limits;
  log: Pick<Logger, 'error'>;
  /** HMAC of a code under a key from outside the database, bound to its challenge (S06). */
  codeHash(challengeId: string, code: string): Buffer;
};

const DAY_MS = 24 * 60 * 60_000;

/**
 * Daily limit of codes for all tags of one mailbox together (`name+tag@…`): each tag counts as an address of its own
 * otherwise, and one person reads them all (S17). Refused requests count too.
 */
const TAGGED = { most: 10, seconds: DAY_MS / 1000 };

async function refuseTags({ limits }: CodeDeps, email: string): Promise<Refusal | undefined> {
  const mailbox = email.replace(/\+.*@/, '@');
  if (mailbox === email) return undefined;
  const { count, endsIn } = await limits.hit(`codes for tags of:${mailbox}`, TAGGED.seconds);
  if (count <= TAGGED.most) return undefined;
  return { refusal: 'codeRequestsExceeded', retryAfterSeconds: endsIn, data: { resendIn: endsIn } };
}

/** Properties of the requester of a code. */
export type Asker = {
  /** The call included a proof of work. */
  proved: boolean;
  /** Browser on which the customer was logged in. It has limits of its own, which strangers cannot use up. */
  device?: string | undefined;
  /** The flow whose code this one replaces. */
  flow?: string;
};

/**
 * Begins a challenge. A job emails its code, so that the answer takes the same time whether or not the address is known
 * (S05). Invalidates only the earlier code of the same flow; otherwise strangers could invalidate anybody's.
 */
export async function requestCode(
  deps: CodeDeps,
  request: Pick<Challenge, 'purpose' | 'email' | 'customer_id'> &
    Partial<Pick<Challenge, 'password_hash' | 'language' | 'terms_version'>>,
  { proved, device, flow }: Asker,
): Promise<CodeSent | Refusal> {
  const { db, clock, jobs } = deps;
  const { email, purpose } = request;
  const refused = await refuseTags(deps, email);
  if (refused) return refused;
  return db.transaction().execute(async tx => {
    // Serializes parallel requests for one address, so that each counts.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`${purpose}:${email}`}, 0))`.execute(tx);
    const now = clock.now();
    const earlier = await tx
      .selectFrom('challenge')
      .select('sent_at')
      .where('email', '=', email)
      .where('purpose', '=', purpose)
      .where('device', device ? '=' : 'is', device ?? null)
      .where('sent_at', '>', new Date(now.getTime() - DAY_MS))
      .execute();
    // Only the first email a day to an address needs no proof of work.
    if (purpose === 'resetPassword' && earlier.length > 0 && !device && !proved) return wantProof();
    const decision = decideSend(
      earlier.map(row => row.sent_at),
      now,
    );
    if (!decision.ok) {
      const { refusal, retryAfterSeconds } = decision;
      return { refusal, retryAfterSeconds, data: { resendIn: retryAfterSeconds } };
    }
    if (flow) {
      const replaced = tx.updateTable('challenge').set({ used_at: now }).where('id', '=', flow);
      await replaced.where('used_at', 'is', null).execute();
    }
    const id = newToken();
    await tx
      .insertInto('challenge')
      .values({
        password_hash: null,
        language: null,
        terms_version: null,
        ...request,
        id,
        device: device ?? null,
        code_hash: null,
        sent_at: now,
        expires_at: new Date(now.getTime() + CODE_LIFETIME_MS),
        grant_hash: null,
      })
      .execute();
    await jobs.enqueue(tx, 'sendCode', { challengeId: id });
    return { flow: id, resendIn: RESEND_MS / 1000, expiresIn: CODE_LIFETIME_MS / 1000 };
  });
}

const challengeOf = (db: Db, flow: string, purposes: readonly Purpose[]): Promise<Challenge | undefined> =>
  db
    .selectFrom('challenge')
    .selectAll()
    .where('id', '=', flow)
    .where('purpose', 'in', [...purposes])
    .executeTakeFirst();

/** Emails a new code for an open challenge. The client continues with the new flow. */
export async function resendCode(deps: CodeDeps, flow: string, proved: boolean): Promise<CodeSent | Refusal> {
  const challenge = await challengeOf(deps.db, flow, [
    'signUp',
    'resetPassword',
    'changePassword',
    'changeEmail',
  ]);
  // The code was used already, or the flow is unknown.
  if (!challenge || challenge.grant_hash) return refuse('codeExpired');
  const { purpose, email, customer_id, password_hash, language, terms_version } = challenge;
  const again = { purpose, email, customer_id, password_hash, language, terms_version };
  return requestCode(deps, again, { proved, flow, device: challenge.device ?? undefined });
}

/**
 * Compares a code. One statement counts each try before its comparison, so that parallel tries cannot exceed the limit
 * (S07). A wrong code that is sent again costs no other try: its answer is known. 7006 for a wrong code; 7007 for an expired
 * or used one, or too many tries.
 */
export async function tryCode(
  deps: CodeDeps,
  flow: string,
  code: string,
  purposes: readonly Purpose[],
): Promise<Challenge | Refusal> {
  const { db, clock, codeHash, limits } = deps;
  const known = await challengeOf(db, flow, purposes);
  if (!known) return refuse('codeExpired');
  const { expires_at: expiresAt, tries, used_at: usedAt } = known;
  if (!canTry({ expiresAt, tries, used: usedAt !== null }, clock.now())) return refuse('codeExpired');
  const wrongBefore = `wrong code ${flow} ${code}`;
  const [before] = await limits.read(wrongBefore);
  if (before.count > 0) return refuse('codeWrong');
  const counted = await db
    .updateTable('challenge')
    .set(eb => ({ tries: eb('tries', '+', 1) }))
    .where('id', '=', flow)
    .where('tries', '<', CODE_TRIES)
    .where('used_at', 'is', null)
    .where('expires_at', '>', clock.now())
    .returningAll()
    .executeTakeFirst();
  if (!counted) return refuse('codeExpired');
  if (counted.code_hash?.equals(codeHash(counted.id, code))) return counted;
  await limits.hit(wrongBefore, CODE_LIFETIME_MS / 1000);
  await countWrongCode(deps);
  return refuse('codeWrong');
}

/** Limit of wrong codes over all accounts in ten minutes, above which somebody is guessing (S09). */
const WRONG_CODES = { name: 'wrong codes', most: 300, seconds: 600 };

async function countWrongCode({ limits, log }: CodeDeps): Promise<void> {
  const { count } = await limits.hit(WRONG_CODES.name, WRONG_CODES.seconds);
  if (count === WRONG_CODES.most + 1)
    log.error({ event: 'codes_guessed' }, 'too many wrong codes: proof of work is required now');
}

/** Whether so many codes were wrong lately that everybody needs a proof of work. */
export const underAttack = async ({ limits }: { limits: Limits }): Promise<boolean> =>
  (await limits.read(WRONG_CODES.name))[0].count > WRONG_CODES.most;

/** Consumes a challenge whose code was correct. False when a concurrent request did so first. */
export async function spend(tx: Db, clock: Clock, id: string): Promise<boolean> {
  const spent = await tx
    .updateTable('challenge')
    .set({ used_at: clock.now() })
    .where('id', '=', id)
    .where('used_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return spent !== undefined;
}

/** Exchanges a correct code for a one-time grant that can only set the password (S10). */
export async function grantFor(
  deps: CodeDeps,
  flow: string,
  code: string,
  purpose: 'resetPassword' | 'changePassword',
  customerId?: string,
): Promise<{ grant: string } | Refusal> {
  const challenge = await tryCode(deps, flow, code, [purpose]);
  if ('refusal' in challenge) return challenge;
  if (customerId && challenge.customer_id !== customerId) return refuse('codeExpired');
  const grant = newToken();
  const now = deps.clock.now();
  const granted = await deps.db
    .updateTable('challenge')
    .set({
      used_at: now,
      grant_hash: tokenHash(grant),
      grant_expires_at: new Date(now.getTime() + GRANT_LIFETIME_MS),
    })
    .where('id', '=', challenge.id)
    .where('used_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return granted ? { grant } : refuse('codeExpired');
}

/** Customer whose password a grant may set. Does not consume the grant. */
export async function readGrant(
  { db, clock }: Pick<CodeDeps, 'db' | 'clock'>,
  grant: string,
  purpose: 'resetPassword' | 'changePassword',
): Promise<string | undefined> {
  const row = await db
    .selectFrom('challenge')
    .select('customer_id')
    .where('grant_hash', '=', tokenHash(grant))
    .where('purpose', '=', purpose)
    .where('grant_expires_at', '>', clock.now())
    .executeTakeFirst();
  return row?.customer_id ?? undefined;
}

/**
 * Consumes a grant. Clears the expiry instead of setting it to now, because clocks of nodes differ.
 * @returns the customer whose password it may set
 */
export async function consumeGrant(
  tx: Db,
  clock: Clock,
  grant: string,
  purpose: 'resetPassword' | 'changePassword',
): Promise<string | undefined> {
  const row = await tx
    .updateTable('challenge')
    .set({ grant_expires_at: null })
    .where('grant_hash', '=', tokenHash(grant))
    .where('purpose', '=', purpose)
    .where('grant_expires_at', '>', clock.now())
    .returning('customer_id')
    .executeTakeFirst();
  return row?.customer_id ?? undefined;
}

/**
 * Derives the code of a challenge and stores its hash. Done when the email is rendered, so that no queue holds the code.
 * Deterministic, so that an email that is sent twice has the same code.
 */
export async function makeCode(
  { db, codeHash }: Pick<CodeDeps, 'db' | 'codeHash'>,
  challengeId: string,
): Promise<string> {
  // The label cannot collide with a code, and the key exists only in the shop.
  const drawn = codeHash(challengeId, 'its code').readUIntBE(0, 6);
  const code = String(drawn % 1_000_000).padStart(6, '0');
  await db
    .updateTable('challenge')
    .set({ code_hash: codeHash(challengeId, code) })
    .where('id', '=', challengeId)
    .execute();
  return code;
}
