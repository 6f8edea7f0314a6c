import { eachRow } from '../../jobs/each-row.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import { refundsSince } from '../payment/index.ts';
import type { PersonalData } from './account.ts';

const HOUR_MS = 60 * 60_000;
/** An email is tried for a day; the address is there for so long at least. */
export const EMAILS_MS = 26 * HOUR_MS;
/** So much longer at most while money goes back to him, of which he is written to: the pages promise 30 days (S83). */
const LONGER_MS = 28 * 24 * HOUR_MS;
/** So many a minute: more than leave, and never a scheduled task that takes long. */
const BATCH = 50;

/** What is kept for the customer's sake alone. */
const PERSONAL = ['link_token', 'session', 'totp', 'recovery_code', 'passkey', 'ceremony'] as const;

/** Erases who has deleted his account, when the last email to him has left. */
export async function eraseAccounts(
  { db, clock }: { db: Db; clock: Clock },
  personal: readonly PersonalData[],
): Promise<void> {
  const now = clock.now();
  const ago = (ms: number): Date => new Date(now.getTime() - ms);
  const due = await db
    .selectFrom('customer')
    .select('id')
    .where('erase_at', '<=', now)
    .where(({ or, eb, ref, not }) =>
      or([eb('erase_at', '<=', ago(LONGER_MS)), not(refundsSince(ref('customer.id'), ago(EMAILS_MS)))]),
    )
    .orderBy('erase_at')
    .limit(BATCH)
    .execute();
  await eachRow(
    due,
    ({ id }) => id,
    ({ id }) => eraseCustomer(db, personal, id),
  );
}

const ERASED = '@deleted.invalid';
/** What stands in the place of the address of who was erased: nobody can be written to there. */
export const pseudonymOf = (customerId: string): string => `${customerId}${ERASED}`;
/** Whether it is no address, but what stands where one was erased. */
export const isPseudonym = (email: string): boolean => email.endsWith(ERASED);

/**
 * Erases what is personal, here and in every other module; invoices and orders stay under a pseudonym, because the law
 * asks for them (S83).
 */
export async function eraseCustomer(
  db: Db,
  personal: readonly PersonalData[],
  customerId: string,
): Promise<void> {
  await db.transaction().execute(async tx => {
    const customer = await tx
      .selectFrom('customer')
      .select('email')
      .where('id', '=', customerId)
      .where('status', '=', 'deleted')
      .forUpdate()
      .executeTakeFirst();
    if (!customer) return;
    const pseudonym = pseudonymOf(customerId);
    // His address may have a new account by now: what is that one's stays.
    await tx
      .deleteFrom('challenge')
      .where('email', '=', customer.email)
      .where(eb => eb.or([eb('customer_id', '=', customerId), eb('customer_id', 'is', null)]))
      .execute();
    for (const table of PERSONAL) {
      await tx.deleteFrom(table).where('customer_id', '=', customerId).execute();
    }
    for (const { erase } of personal) await erase?.(tx, { id: customerId, email: customer.email, pseudonym });
    await tx
      .updateTable('customer')
      .set({ email: pseudonym, password_hash: null, erase_at: null })
      .where('id', '=', customerId)
      .execute();
  });
}
