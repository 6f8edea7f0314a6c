import { eachRow } from '../../jobs/each-row.ts';
import { pseudonymOf } from '../../kernel/pseudonym.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import { refundsSince } from '../payment/index.ts';
import type { PersonalData } from './account.ts';

const HOUR_MS = 60 * 60_000;
/** Emails are retried for a day, so the address stays at least this long. */
export const EMAILS_MS = 26 * HOUR_MS;
/** Maximum extension while a refund is open, about which the customer gets email: the pages promise 30 days (S83). */
const LONGER_MS = 28 * 24 * HOUR_MS;
/** Limit per run, so that the task stays short. */
const BATCH = 50;

/** Tables whose rows of a customer are deleted completely. */
const PERSONAL = ['link_token', 'session', 'totp', 'recovery_code', 'passkey', 'ceremony'] as const;

/** Erases the data of deleted accounts once the last emails to them were sent. */
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

/** Erases personal data in all modules. Invoices and orders stay under a pseudonym, as the law requires (S83). */
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
    // The address may have a new account by now, whose challenges stay.
    await tx
      .deleteFrom('challenge')
      .where(({ eb, or, and }) =>
        or([
          eb('customer_id', '=', customerId),
          and([eb('email', '=', customer.email), eb('customer_id', 'is', null)]),
        ]),
      )
      .execute();
    await tx.deleteFrom('email_change').where('user_id', '=', customerId).execute();
    for (const table of PERSONAL) {
      await tx.deleteFrom(table).where('customer_id', '=', customerId).execute();
    }
    for (const { erase } of personal) await erase?.(tx, { id: customerId, email: customer.email, pseudonym });
    await tx
      .updateTable('customer')
      .set({ email: pseudonym, password_hash: null, display_name: null, erase_at: null })
      .where('id', '=', customerId)
      .execute();
    await tx.updateTable('app_user').set({ name: null }).where('id', '=', customerId).execute();
  });
}
