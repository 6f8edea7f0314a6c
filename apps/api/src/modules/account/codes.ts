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

export type Purpose = 'signUp' | 'resetPassword' | 'changePassword';
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
 * Codes in a day for all tags of one mailbox (`name+tag@…`): every tag is an address of its own, with limits of its own,
 * and one person reads them all (S17). Refused tries count as well: who has no use for tags never notices.
 */
const TAGGED = { most: 10, seconds: DAY_MS / 1000 };

async function refuseTags({ limits }: CodeDeps, email: string): Promise<Refusal | undefined> {
  const mailbox = email.replace(/\+.*@/, '@');
  if (mailbox === email) return undefined;
  const { count, endsIn } = await limits.hit(`codes for tags of:${mailbox}`, TAGGED.seconds);
  if (count <= TAGGED.most) return undefined;
  return { refusal: 'codeRequestsExceeded', retryAfterSeconds: endsIn, data: { resendIn: endsIn } };
}

/** Who asks for a code, as far as it matters. */
export type Asker = {
  /** A proof of work came with the call. */
  proved: boolean;
  /** A browser on which the customer was logged in: what strangers ask for does not count there. */
  device?: string | undefined;
  /** The flow whose code this one replaces. */
  flow?: string;
};

/**
 * Begins a challenge and has its code mailed by a job, so that the answer never waits for a mail server and takes the
 * same time whether or not anybody has the address (S05). A code belongs to the flow that asked for it: only the earlier
 * one of the same flow ends here, or anybody could end everybody's.
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
    // Parallel requests for one address count each other.
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
    // A stranger may mail somebody once for nothing.
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

/** Mails a new code for a challenge that is under way; the client goes on with the new flow. */
export async function resendCode(deps: CodeDeps, flow: string, proved: boolean): Promise<CodeSent | Refusal> {
  const challenge = await challengeOf(deps.db, flow, ['signUp', 'resetPassword', 'changePassword']);
  // A right code was given already, or the flow never was: there is nothing to send again.
  if (!challenge || challenge.grant_hash) return refuse('codeExpired');
  const { purpose, email, customer_id, password_hash, language, terms_version } = challenge;
  const again = { purpose, email, customer_id, password_hash, language, terms_version };
  return requestCode(deps, again, { proved, flow, device: challenge.device ?? undefined });
}

/**
 * Compares a code. Each comparison is paid for before it is made, in one statement, so that parallel tries cannot
 * exceed the limit (S07). 7006 for a wrong code, 7007 for one that is old, spent or used up.
 */
export async function tryCode(
  deps: CodeDeps,
  flow: string,
  code: string,
  purposes: readonly Purpose[],
): Promise<Challenge | Refusal> {
  const { db, clock, codeHash } = deps;
  const known = await challengeOf(db, flow, purposes);
  if (!known) return refuse('codeExpired');
  const { expires_at: expiresAt, tries, used_at: usedAt } = known;
  if (!canTry({ expiresAt, tries, used: usedAt !== null }, clock.now())) return refuse('codeExpired');
  const paid = await db
    .updateTable('challenge')
    .set(eb => ({ tries: eb('tries', '+', 1) }))
    .where('id', '=', flow)
    .where('tries', '<', CODE_TRIES)
    .where('used_at', 'is', null)
    .where('expires_at', '>', clock.now())
    .returningAll()
    .executeTakeFirst();
  if (!paid) return refuse('codeExpired');
  if (paid.code_hash?.equals(codeHash(paid.id, code))) return paid;
  await countWrongCode(deps);
  return refuse('codeWrong');
}

/** More wrong codes than this in ten minutes, over all accounts: somebody is guessing (S09). */
const WRONG_CODES = { name: 'wrong codes', most: 300, seconds: 600 };

async function countWrongCode({ limits, log }: CodeDeps): Promise<void> {
  const { count } = await limits.hit(WRONG_CODES.name, WRONG_CODES.seconds);
  if (count === WRONG_CODES.most + 1)
    log.error({ event: 'codes_guessed' }, 'too many wrong codes: proof of work is asked for');
}

/** Whether so many codes were wrong lately that everybody has to prove that he is not a machine. */
export const underAttack = async ({ limits }: { limits: Limits }): Promise<boolean> =>
  (await limits.read(WRONG_CODES.name))[0].count > WRONG_CODES.most;

/** Spends a challenge whose code was right; false when another request was faster. */
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

/** Exchanges a right code for a one-time grant that can only set the password (S10). */
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

/** Whose password a grant may set, without consuming it. */
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
 * Consumes a grant; answers whose password it may set. Cleared, not dated: nodes' clocks differ by what parallel calls
 * need.
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
 * The code of a challenge, stored as its hash: made when the email is written, so that no queue ever holds it, and the same
 * again where that email is written twice, of which a mailbox shows one.
 */
export async function makeCode(
  { db, codeHash }: Pick<CodeDeps, 'db' | 'codeHash'>,
  challengeId: string,
): Promise<string> {
  // Under a key that only the shop has; no code is such a word.
  const drawn = codeHash(challengeId, 'its code').readUIntBE(0, 6);
  const code = String(drawn % 1_000_000).padStart(6, '0');
  await db
    .updateTable('challenge')
    .set({ code_hash: codeHash(challengeId, code) })
    .where('id', '=', challengeId)
    .execute();
  return code;
}
