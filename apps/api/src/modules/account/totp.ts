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

/** RFC 6238 as every authenticator app has it: SHA-1, 6 digits, 30 seconds; one step early or late is taken. */
const PERIOD_MS = 30_000;
const WINDOW = 1;
const RECOVERY_CODES = 10;
/** Six digits could be guessed in weeks by somebody who has the password; recovery codes and passkeys serve on. */
const WRONG_CODES = { most: 20, seconds: 24 * 60 * 60 };
/** Without letters that look like digits. */
const ALPHABET = '23456789abcdefghjkmnpqrstuvwxyz';

const contextOf = (customerId: string): string => `totp:${customerId}`;

/** Begins setting an app up: a new secret, not asked for until its first code proves that the app has it. */
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
  // One that works is removed first, not replaced by chance.
  if (!begun) return refuse('forbidden');
  const uri = new TOTP({ issuer: brandName, label: email, secret }).toString();
  return { secret: secret.base32, uri };
}

/** Sets the app up with its first code. */
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
      // Begun again or given up meanwhile, in another tab: the app does not have that secret.
      .where('secret_sealed', '=', begun.secret_sealed)
      .where('confirmed_at', 'is', null)
      .returning('customer_id')
      .executeTakeFirst();
    if (!confirmed) return refuse('codeExpired');
    await notifyLoginChanged(deps, tx, customerId, 'totpOn');
    return { recoveryCodes: await replaceRecoveryCodes(deps, tx, customerId) };
  });
}

/** Ten new recovery codes; refused where no app is set up. */
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
    // One that was begun and never confirmed asked nobody for anything.
    if ((await app.executeTakeFirst())?.confirmed_at)
      await notifyLoginChanged(deps, tx, customerId, 'totpOff');
  });
}

/** Uses a code of the app, or a recovery code; refused when it is wrong or was used before. */
export async function spendAppCode(
  deps: TotpDeps,
  db: Db,
  customerId: string,
  given: string,
): Promise<Refusal | undefined> {
  const code = normalCode(given).toLowerCase();
  if (/^\d{6}$/.test(code)) {
    const tries = `app codes:${customerId}`;
    const { count, endsIn } = await deps.limits.hit(tries, WRONG_CODES.seconds);
    if (count > WRONG_CODES.most) return { refusal: 'tooManyRequests', retryAfterSeconds: endsIn };
    if (!(await spendTotpStep(deps, db, customerId, code))) return refuse('codeWrong');
    await deps.limits.forget(tries);
    return undefined;
  }
  const used = await db
    .deleteFrom('recovery_code')
    .where('customer_id', '=', customerId)
    .where('code_hash', '=', deps.codeHash(customerId, code))
    .returning('customer_id')
    .executeTakeFirst();
  return used ? undefined : refuse('codeWrong');
}

/** Each step counts once, whoever was faster: a code that somebody looked at is worth nothing (S15). */
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

/** Moves the apps' secrets to the present master key (S80). */
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
