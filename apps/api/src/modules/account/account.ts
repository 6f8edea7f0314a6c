import { type Selectable, sql } from 'kysely';
import { newId } from '../../crypto/secrets.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import type { HumanCheck } from '../../ports/human-check.ts';
import type { LiveBus } from '../../ports/live.ts';
import type { Tables } from '../../ports/tables.ts';
import type { CodeDeps } from './codes.ts';
import type { DeviceCookieDeps } from './device-cookie.ts';
import { endEmailedSecrets } from './emailed-secrets.ts';
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
    /** The access token for a refresh token. */
    accessToken(refreshToken: string): string;
    /** Version of the terms that must have been ticked. */
    termsVersion: string;
    /** Whether signing up with a known address says so. */
    signUpRevealsEmail: boolean;
    /** Checkout's part of ending an account; false while something is paid for and not delivered yet. */
    personal: readonly PersonalData[];
    endOrders(tx: Db, customer: { id: string; email: string }): Promise<boolean>;
  };

/** What each module keeps of a customer: told to him (S83), and erased with his account. In the order of the modules. */
export type PersonalData = {
  exportOf?(db: Db, customerId: string): Promise<Record<string, unknown>>;
  erase?(tx: Db, customer: { id: string; email: string; pseudonym: string }): Promise<void>;
};

export type Account = { id: string; email: string; language: string; hasPassword: boolean };

/**
 * Who has an address now; whoever ended his account has it no more. The state is written out, not handed in: the index of
 * addresses is of such accounts alone, and a plan for any state could not use it.
 */
export const customerOf = (db: Db, email: string): Promise<Selectable<Tables['customer']> | undefined> =>
  withAddress(db, email).executeTakeFirst();

const withAddress = (db: Db, email: string) =>
  db.selectFrom('customer').selectAll().where('email', '=', email).where('status', '=', sql.lit('active'));

/** What other modules may ask of the accounts. */
export function createAccount({ clock }: { clock: Clock }) {
  const toAccount = (row: Selectable<Tables['customer']>): Account => ({
    id: row.id,
    email: row.email,
    language: row.language,
    hasPassword: row.password_hash !== null,
  });
  return {
    async byId(db: Db, id: string): Promise<Account | undefined> {
      const row = await db.selectFrom('customer').selectAll().where('id', '=', id).executeTakeFirst();
      return row && toAccount(row);
    },

    /** Whether the account has not ended; it does not before the transaction is over. */
    async holdActive(tx: Db, id: string): Promise<boolean> {
      const row = await tx
        .selectFrom('customer')
        .select('id')
        .where('id', '=', id)
        .where('status', '=', 'active')
        .forShare()
        .executeTakeFirst();
      return row !== undefined;
    },

    /**
     * The account of an address; made when a guest's first order is paid. One that ended is nobody's any more. It keeps
     * the address until the transaction is over: what is given to it goes to whom the address is.
     * @returns also whether it was made just now
     */
    async ensure(tx: Db, email: string, language: string): Promise<Account & { made: boolean }> {
      const made = await tx
        .insertInto('customer')
        .values({ id: newId('cus'), email, language, password_hash: null, created_at: clock.now() })
        .onConflict(conflict => conflict.doNothing())
        .returningAll()
        .executeTakeFirst();
      if (made) return { ...toAccount(made), made: true };
      const there = await withAddress(tx, email).forShare().executeTakeFirst();
      // Its address was mended just now, and is free again.
      return there ? { ...toAccount(there), made: false } : this.ensure(tx, email, language);
    },

    /**
     * Locks an account that nobody has opened yet: no password, so no mailed link was used. False when it has been opened
     * or has ended.
     */
    async holdUnopened(tx: Db, id: string): Promise<boolean> {
      const row = await tx
        .selectFrom('customer')
        .select('id')
        .where('id', '=', id)
        .where('status', '=', 'active')
        .where('password_hash', 'is', null)
        .forUpdate()
        .executeTakeFirst();
      return row !== undefined;
    },

    /**
     * Gives a held account another address. What was mailed to the one before opens nothing any more.
     * @returns false when somebody has the address
     */
    async correctEmail(tx: Db, id: string, email: string): Promise<boolean> {
      // Its buyer says that it was wrong: what went there opens nothing.
      await endEmailedSecrets(tx, id, clock.now());
      if (await customerOf(tx, email)) return false;
      await tx.updateTable('customer').set({ email }).where('id', '=', id).execute();
      return true;
    },
  };
}
