import { type Selectable, sql } from 'kysely';
import { newId } from '../../crypto/secrets.ts';
import { contactEmail, contactLanguage } from '../../database/contact.ts';
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
    /** Derives the access token of a refresh token. */
    accessToken(refreshToken: string): string;
    /** Version of the terms that a customer must accept. */
    termsVersion: string;
    /** Whether a sign-up with a known address is refused openly. */
    signUpRevealsEmail: boolean;
    personal: readonly PersonalData[];
    /** Whether an email address may open no account any more. */
    isBlocked(db: Db, email: string): Promise<boolean>;
    /** Ends the devices of somebody who no longer works for a customer. */
    endDevices(tx: Db, of: { customerId: string; userId: string }): Promise<void>;
    /** Ends the open invitations of somebody who may invite no more: one to an address of theirs would bring them back. */
    endInvitations(tx: Db, of: { customerId: string; userId: string }): Promise<void>;
    /** Moves devices, their numbers and open invitations to a new ID of their user, who has a membership under both. */
    moveWork(tx: Db, move: UserMove): Promise<void>;
    /** Ends a customer's orders with their account; false while something is paid and not delivered yet. */
    endOrders(tx: Db, customer: { id: string; email: string }): Promise<boolean>;
  };

/** A user gets a new ID. `customers`: those that they work for, locked. */
export type UserMove = { from: string; to: string; customers: readonly string[] };

/** Personal data that a module stores: exported to the customer, and erased with their account (S83). */
export type PersonalData = {
  exportOf?(db: Db, customerId: string): Promise<Record<string, unknown>>;
  erase?(tx: Db, customer: { id: string; email: string; pseudonym: string }): Promise<void>;
};

/** `hasPassword`: its users log in already, so that no email leads to a first password. `founderLeft`: nobody logs in by its ID. */
export type Account = {
  id: string;
  email: string;
  language: string;
  hasPassword: boolean;
  founderLeft: boolean;
};

/**
 * Active customer of an email address. The status is a literal instead of a parameter: the index covers active customers
 * only, and a generic plan could not use it.
 */
export const customerOf = (db: Db, email: string): Promise<Selectable<Tables['customer']> | undefined> =>
  withAddress(db, email).executeTakeFirst();

const withAddress = (db: Db, email: string) =>
  db.selectFrom('customer').selectAll().where('email', '=', email).where('status', '=', sql.lit('active'));

/** The active customer to whom an address comes back if the change of it is undone. */
const keeperOf = (db: Db, email: string): Promise<Selectable<Tables['customer']> | undefined> =>
  db
    .selectFrom('email_change')
    .innerJoin('customer', 'customer.id', 'email_change.user_id')
    .selectAll('customer')
    .where('old_email', '=', email)
    .where('applied_at', 'is not', null)
    .where('status', '=', 'active')
    .forShare('customer')
    .executeTakeFirst();

/** The active customer who has an address, or to whom it can come back: nobody else may take it. */
export const holderOf = async (db: Db, email: string): Promise<Selectable<Tables['customer']> | undefined> =>
  (await customerOf(db, email)) ?? keeperOf(db, email);

/** Account functions for other modules. */
export function createAccount({ clock }: { clock: Clock }) {
  const toAccount = (
    row: Pick<Selectable<Tables['customer']>, 'id' | 'email' | 'language' | 'password_hash' | 'founder_id'>,
  ): Account => ({
    id: row.id,
    email: row.email,
    language: row.language,
    hasPassword: row.password_hash !== null || row.founder_id !== null,
    founderLeft: row.founder_id !== null,
  });
  return {
    /** An account with the address and language that its bills have. */
    async byId(db: Db, id: string): Promise<Account | undefined> {
      const account = db.selectFrom('customer').select(['id', 'password_hash', 'founder_id']);
      const contact = account.select([contactEmail.as('email'), contactLanguage.as('language')]);
      const row = await contact.where('id', '=', id).executeTakeFirst();
      return row && toAccount(row);
    },

    /**
     * Locks an active account against its end until the transaction is over. False when it has ended.
     * @param exclusive makes every other transaction that calls this wait, too
     */
    async holdActive(tx: Db, id: string, exclusive = false): Promise<boolean> {
      const active = tx
        .selectFrom('customer')
        .select('id')
        .where('id', '=', id)
        .where('status', '=', 'active');
      const row = await (exclusive ? active.forNoKeyUpdate() : active.forShare()).executeTakeFirst();
      return row !== undefined;
    },

    /**
     * Active account of an address, created if there is none, as when a guest's first order is paid. Locks the address until
     * the transaction is over.
     * @returns the account; `made`: it was created just now
     */
    async ensure(tx: Db, email: string, language: string): Promise<Account & { made: boolean }> {
      const made = await tx
        .insertInto('customer')
        .values({ id: newId('cus'), email, language, password_hash: null, created_at: clock.now() })
        .onConflict(conflict => conflict.doNothing())
        .returningAll()
        .executeTakeFirst();
      if (made) return { ...toAccount(made), made: true };
      const there =
        (await withAddress(tx, email).forShare().executeTakeFirst()) ?? (await keeperOf(tx, email));
      // A concurrent correction of its address has freed it: try again.
      return there ? { ...toAccount(there), made: false } : this.ensure(tx, email, language);
    },

    /** Locks an account that has no password yet, so that no emailed link was used. False when it has one or has ended. */
    async holdUnopened(tx: Db, id: string): Promise<boolean> {
      const row = await tx
        .selectFrom('customer')
        .select('id')
        .where('id', '=', id)
        .where('status', '=', 'active')
        .where('password_hash', 'is', null)
        .where('founder_id', 'is', null)
        .forUpdate()
        .executeTakeFirst();
      return row !== undefined;
    },

    /**
     * Changes the address of a locked account, and invalidates secrets that were emailed to the previous one.
     * @returns false when another account has the address
     */
    async correctEmail(tx: Db, id: string, email: string): Promise<boolean> {
      // The buyer declared the previous address wrong, so a stranger may have the email.
      await endEmailedSecrets(tx, id, clock.now());
      if (await holderOf(tx, email)) return false;
      await tx.updateTable('customer').set({ email }).where('id', '=', id).execute();
      return true;
    },
  };
}
