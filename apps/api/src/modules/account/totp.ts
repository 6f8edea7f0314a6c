import { randomInt } from 'node:crypto';
import { normalCode } from '@fixpoint/contract/fields.ts';
import { Secret, TOTP } from 'otpauth';
import { PAGE, type ReEncrypted, reEncryptEach } from '../../crypto/re-encrypt.ts';
import type { ReEncrypt, Vault } from '../../crypto/vault.ts';
import { type Refusal, refuse } from '../../kernel/refusal.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import type { Jobs } from '../../ports/jobs.ts';
import type { Limits } from '../../ports/limits.ts';
import { notifyLoginChanged } from './notify-login-changed.ts';
import { tryOwnSecret } from './secret-tries.ts';

export type TotpDeps = {
  clock: Clock;
  vault: Vault;
  codeHash(owner: string, code: string): Buffer;
  limits: Limits;
  jobs: Jobs;
};

/** RFC 6238 as authenticator apps use it: SHA-1, 6 digits, 30 seconds. Accepts one step early or late. */
const PERIOD_MS = 30_000;
const WINDOW = 1;
const RECOVERY_CODES = 10;
/** Daily limit of wrong codes: six digits could be guessed in weeks. Recovery codes and passkeys stay usable. */
const WRONG_CODES = { most: 20, seconds: 24 * 60 * 60 };
/** Excludes letters that look like digits. */
const ALPHABET = '23456789abcdefghjkmnpqrstuvwxyz';

const contextOf = (customerId: string): string => `totp:${customerId}`;

/** Begins the set-up of an authenticator app with a new secret, which counts only after its first correct code. */
export async function beginTotp(
  { db, vault, brandName }: TotpDeps & { db: Db; brandName: string },
  customerId: string,
): Promise<{ secret: string; uri: string } | Refusal> {
  const { email } = await db
    .selectFrom('customer')
    .select('email')
    .where('id', '=', customerId)
    .executeTakeFirstOrThrow();
  const secret = new Secret({ size: 20 });
  const sealed = vault.seal(secret.base32, contextOf(customerId));
  const begun = await db
    .insertInto('totp')
    .values({ customer_id: customerId, secret_sealed: sealed })
    .onConflict(conflict =>
      conflict
        .column('customer_id')
        .doUpdateSet({ secret_sealed: sealed })
        .where('totp.confirmed_at', 'is', null),
    )
    .returning('customer_id')
    .executeTakeFirst();
  // A confirmed app must be removed first, so that it is not replaced by accident.
  if (!begun) return refuse('forbidden');
  const uri = new TOTP({ issuer: brandName, label: email, secret }).toString();
  return { secret: secret.base32, uri };
}

/** Confirms an authenticator app with its first code. */
export async function confirmTotp(
  deps: TotpDeps & { db: Db },
  customerId: string,
  code: string,
): Promise<{ recoveryCodes: string[] } | Refusal> {
  const begun = await deps.db
    .selectFrom('totp')
    .select(['confirmed_at', 'secret_sealed'])
    .where('customer_id', '=', customerId)
    .executeTakeFirst();
  if (!begun || begun.confirmed_at) return refuse('codeExpired');
  const refused = await tryOwnSecret(deps.limits, customerId, async () =>
    (await spendTotpStep(deps, deps.db, customerId, normalCode(code))) ? undefined : refuse('codeWrong'),
  );
  if (refused) return refused;
  return deps.db.transaction().execute(async tx => {
    const confirmed = await tx
      .updateTable('totp')
      .set({ confirmed_at: deps.clock.now() })
      .where('customer_id', '=', customerId)
      // Another tab may have restarted or removed the set-up: the app would have another secret.
      .where('secret_sealed', '=', begun.secret_sealed)
      .where('confirmed_at', 'is', null)
      .returning('customer_id')
      .executeTakeFirst();
    if (!confirmed) return refuse('codeExpired');
    await notifyLoginChanged(deps, tx, customerId, 'totpOn');
    return { recoveryCodes: await replaceRecoveryCodes(deps, tx, customerId) };
  });
}

/** Replaces the recovery codes with ten new ones. Refused without an authenticator app. */
export async function newRecoveryCodes(
  deps: TotpDeps & { db: Db },
  customerId: string,
): Promise<{ recoveryCodes: string[] } | Refusal> {
  return deps.db.transaction().execute(async tx => {
    const app = await tx
      .selectFrom('totp')
      .select('customer_id')
      .where('customer_id', '=', customerId)
      .where('confirmed_at', 'is not', null)
      .forUpdate()
      .executeTakeFirst();
    if (!app) return refuse('authenticationFailed');
    await notifyLoginChanged(deps, tx, customerId, 'recoveryCodes');
    return { recoveryCodes: await replaceRecoveryCodes(deps, tx, customerId) };
  });
}

export async function removeTotp(deps: TotpDeps & { db: Db }, customerId: string): Promise<void> {
  await deps.db.transaction().execute(async tx => {
    await tx.deleteFrom('recovery_code').where('customer_id', '=', customerId).execute();
    const app = tx.deleteFrom('totp').where('customer_id', '=', customerId).returning('confirmed_at');
    // An unconfirmed app was no login method, so its removal notifies nobody.
    if ((await app.executeTakeFirst())?.confirmed_at)
      await notifyLoginChanged(deps, tx, customerId, 'totpOff');
  });
}

/** Seals the secret of a user's app for the ID that they are getting. */
export async function resealTotp(
  { vault }: Pick<TotpDeps, 'vault'>,
  tx: Db,
  { from, to }: { from: string; to: string },
): Promise<void> {
  const app = await tx
    .selectFrom('totp')
    .select('secret_sealed')
    .where('customer_id', '=', from)
    .forUpdate()
    .executeTakeFirst();
  if (!app) return;
  const secret_sealed = vault.seal(vault.open(app.secret_sealed, contextOf(from)), contextOf(to));
  await tx.updateTable('totp').set({ secret_sealed }).where('customer_id', '=', from).execute();
}

/** Counter of wrong codes of an authenticator app. */
export const appCodeCounter = (customerId: string): string => `app codes:${customerId}`;

/** Consumes a code of the app or a recovery code. Refuses a wrong or used one. */
export async function spendAppCode(
  deps: TotpDeps,
  db: Db,
  customerId: string,
  given: string,
): Promise<Refusal | undefined> {
  const code = normalCode(given).toLowerCase();
  if (/^\d{6}$/.test(code)) {
    const tries = appCodeCounter(customerId);
    const { count, endsIn } = await deps.limits.hit(tries, WRONG_CODES.seconds);
    if (count > WRONG_CODES.most) return { refusal: 'tooManyRequests', retryAfterSeconds: endsIn };
    if (!(await spendTotpStep(deps, db, customerId, code))) return refuse('codeWrong');
    await deps.limits.forget(tries);
    return undefined;
  }
  return (await spendRecoveryCode(deps, db, customerId, code)) ? undefined : refuse('codeWrong');
}

/** Consumes a recovery code; its hash has the ID that the user had when it was made. */
async function spendRecoveryCode(
  { codeHash }: TotpDeps,
  db: Db,
  customerId: string,
  code: string,
): Promise<boolean> {
  const own = db.selectFrom('recovery_code').select('made_for').where('customer_id', '=', customerId);
  // All are made together.
  const madeFor = (await own.limit(1).executeTakeFirst())?.made_for ?? customerId;
  const used = await db
    .deleteFrom('recovery_code')
    .where('customer_id', '=', customerId)
    .where('code_hash', '=', codeHash(madeFor, code))
    .returning('customer_id')
    .executeTakeFirst();
  return used !== undefined;
}

/** Accepts each time step once, so that an observed code cannot be used again (S15). */
async function spendTotpStep(
  { clock, vault }: TotpDeps,
  db: Db,
  customerId: string,
  code: string,
): Promise<boolean> {
  const row = await db
    .selectFrom('totp')
    .select('secret_sealed')
    .where('customer_id', '=', customerId)
    .executeTakeFirst();
  if (!row) return false;
  const secret = Secret.fromBase32(vault.open(row.secret_sealed, contextOf(customerId)));
  const timestamp = clock.now().getTime();
  const delta = new TOTP({ secret }).validate({ token: code, timestamp, window: WINDOW });
  if (delta === null) return false;
  const step = Math.floor(timestamp / PERIOD_MS) + delta;
  const used = await db
    .updateTable('totp')
    .set({ last_step: step })
    .where('customer_id', '=', customerId)
    .where('last_step', '<', step)
    .returning('customer_id')
    .executeTakeFirst();
  return used !== undefined;
}

async function replaceRecoveryCodes(deps: TotpDeps, tx: Db, customerId: string): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, () =>
    Array.from({ length: 8 }, () => ALPHABET[randomInt(ALPHABET.length)]).join(''),
  );
  await tx.deleteFrom('recovery_code').where('customer_id', '=', customerId).execute();
  await tx
    .insertInto('recovery_code')
    .values(codes.map(code => ({ customer_id: customerId, code_hash: deps.codeHash(customerId, code) })))
    .execute();
  return codes.map(code => `${code.slice(0, 4)}-${code.slice(4)}`);
}

/** Re-encrypts the secrets of authenticator apps under the present master key (S80). */
export const reEncryptTotpSecrets = (db: Db, reEncrypt: ReEncrypt): Promise<ReEncrypted> =>
  reEncryptEach(
    after =>
      db
        .selectFrom('totp')
        .select(['customer_id as id', 'secret_sealed'])
        .where('customer_id', '>', after)
        .orderBy('customer_id')
        .limit(PAGE)
        .execute(),
    async ({ id, secret_sealed: was }, seal) => {
      const sealed = seal(was, contextOf(id));
      if (!sealed) return false;
      await db
        .updateTable('totp')
        .set({ secret_sealed: sealed })
        .where('customer_id', '=', id)
        .where('secret_sealed', '=', was)
        .execute();
      return true;
    },
    reEncrypt,
  );
