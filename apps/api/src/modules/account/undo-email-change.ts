import type { Selectable } from 'kysely';
import { newToken } from '../../crypto/secrets.ts';
import { type Refusal, refuse } from '../../kernel/refusal.ts';
import type { Db } from '../../ports/database.ts';
import type { Tables } from '../../ports/tables.ts';
import type { AccountDeps } from './account.ts';
import { changeOfToken } from './change-email.ts';
import { endEmailedSecrets } from './emailed-secrets.ts';
import { lockOwner } from './lock-owner.ts';
import { loginCounter } from './log-in.ts';
import { endUserSessions } from './set-password.ts';

type Change = Selectable<Tables['email_change']>;

/** The change that a link undoes, while it can be undone. Changes nothing. */
export function readEmailChange(
  { db, clock, codeHash }: Pick<AccountDeps, 'db' | 'clock' | 'codeHash'>,
  token: string,
): Promise<Change | undefined> {
  return db
    .selectFrom('email_change')
    .selectAll()
    .where('id', '=', changeOfToken({ codeHash }, token) ?? '')
    .where('undo_until', '>', clock.now())
    .executeTakeFirst();
}

/**
 * Gives a user the previous address again, or stops one that does not hold yet. Whoever made it knew how to log in:
 * sessions and password end, as do the log-in methods that were added since. A new password needs a code to the address.
 */
export async function undoEmailChange(
  deps: AccountDeps,
  token: string,
): Promise<{ email: string } | Refusal> {
  const { db, clock, passwords } = deps;
  const change = await readEmailChange(deps, token);
  if (!change) return refuse('tokenInvalid');
  const nobodys = await passwords.hash(newToken());
  const { old_email: email, user_id: userId } = change;
  return db.transaction().execute(async tx => {
    const owner = await lockOwner(tx, userId);
    const ended = await tx
      .deleteFrom('email_change')
      .where('id', '=', change.id)
      .returning('applied_at')
      .executeTakeFirst();
    if (!owner || !ended) return refuse('tokenInvalid');
    if (!ended.applied_at) return { email };
    await endEmailedSecrets(tx, userId, clock.now());
    await endUserSessions(deps, tx, userId);
    await endMethodsSince(tx, userId, ended.applied_at);
    // Changes of after it go with it: their links lead to addresses that came by it.
    const later = tx.deleteFrom('email_change').where('user_id', '=', userId);
    await later.where('undo_until', '>=', change.undo_until).execute();
    await tx
      .updateTable('customer')
      .set({ email, password_hash: nobodys })
      .where('id', '=', userId)
      .execute();
    // Guesses of whoever had the account must not slow down its owner (S13).
    await deps.limits.forget(loginCounter(email));
    return { email };
  });
}

async function endMethodsSince(tx: Db, userId: string, since: Date): Promise<void> {
  await tx.deleteFrom('passkey').where('customer_id', '=', userId).where('created_at', '>=', since).execute();
  const app = tx.deleteFrom('totp').where('customer_id', '=', userId);
  const ended = await app.where('confirmed_at', '>=', since).returning('customer_id').executeTakeFirst();
  if (ended) await tx.deleteFrom('recovery_code').where('customer_id', '=', userId).execute();
}
