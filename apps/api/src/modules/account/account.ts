import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import type { HumanCheck } from '../../ports/human-check.ts';
import type { LiveBus } from '../../ports/live.ts';
import { newId } from '../../secrets.ts';
import type { CodeDeps } from './codes.ts';
import type { DeviceCookieDeps } from './device-cookie.ts';
import type { PasskeyDeps } from './passkeys.ts';
import type { Passwords } from './passwords.ts';
import type { TotpDeps } from './totp.ts';

export type AccountDeps = CodeDeps &
  TotpDeps &
  PasskeyDeps &
  DeviceCookieDeps & {
    live: LiveBus;
    passwords: Passwords;
    humanCheck: HumanCheck;
    /** Version of the terms that must have been ticked. */
    termsVersion: string;
    /** Whether signing up with a known address says so. */
    signUpRevealsEmail: boolean;
  };

export type Account = { id: string; email: string; language: string; hasPassword: boolean };

/** What other modules may ask of the accounts. */
export function createAccount({ clock }: { clock: Clock }) {
  const read = async (db: Db, by: 'id' | 'email', value: string): Promise<Account | undefined> => {
    const row = await db.selectFrom('customer').selectAll().where(by, '=', value).executeTakeFirst();
    return (
      row && { id: row.id, email: row.email, language: row.language, hasPassword: row.password_hash !== null }
    );
  };
  return {
    byId: (db: Db, id: string) => read(db, 'id', id),

    /** The account of an address; made when a guest's first order is paid. */
    async ensure(tx: Db, email: string, language: string): Promise<Account> {
      await tx
        .insertInto('customer')
        .values({ id: newId('cus'), email, language, password_hash: null, created_at: clock.now() })
        .onConflict(conflict => conflict.column('email').doNothing())
        .execute();
      return (await read(tx, 'email', email))!;
    },
  };
}
