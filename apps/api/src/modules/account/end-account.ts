import type { Db } from '../../ports/database.ts';
import { type Refusal, refuse } from '../../refusal.ts';
import { endMethods } from '../payment/index.ts';
import { endAllSubscriptions, hasRunning } from '../subscription/index.ts';
import type { AccountDeps, PersonalData } from './account.ts';
import { wantFactor } from './confirm.ts';
import { checkOwnPassword } from './secret-tries.ts';
import { endAllSessions } from './set-password.ts';

/** What is kept for the customer's sake alone. */
const PERSONAL = ['link_token', 'session', 'totp', 'recovery_code', 'passkey', 'ceremony'] as const;

/** Time for the last letter to leave before the address is erased. */
const ERASE_AFTER_SECONDS = 600;

/**
 * Disables or deletes an account: rights end at once everywhere — sessions, sockets, tunnels, saved ways to pay — and it
 * cannot be undone (W31). Refused while a subscription goes on or waits for a host (8007, T11). A deleted account's data is
 * erased by a job.
 */
export async function endAccount(
  deps: AccountDeps,
  caller: { customerId: string; confirmedAt: Date },
  request: { action: 'disable' | 'delete'; currentPassword: string },
): Promise<Refusal | Record<string, never>> {
  const { db, jobs } = deps;
  const { customerId } = caller;
  const refused =
    (await wantFactor(deps, caller)) ?? (await checkOwnPassword(deps, customerId, request.currentPassword));
  if (refused) return refused;

  return db.transaction().execute(async tx => {
    // Not from whoever books what is his with his order locked; what must not begin any more looks at him by a lock.
    const { email } = await tx
      .selectFrom('customer')
      .select('email')
      .where('id', '=', customerId)
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow();
    if (await hasRunning(tx, customerId)) return refuse('accountHasSubscription');
    if (!(await deps.endOrders(tx, { id: customerId, email }))) return refuse('accountHasSubscription');
    const deleted = request.action === 'delete';
    await tx
      .updateTable('customer')
      .set({ status: deleted ? 'deleted' : 'disabled' })
      .where('id', '=', customerId)
      .execute();
    await endAllSubscriptions(deps, tx, customerId);
    await endMethods(deps, tx, customerId);
    await endAllSessions(deps, tx, customerId);
    const mail = deleted ? 'accountDeleted' : 'accountDisabled';
    await jobs.enqueue(tx, 'sendMail', { mail, customerId, subjectId: customerId });
    if (deleted)
      await jobs.enqueue(tx, 'eraseCustomer', { customerId }, { delaySeconds: ERASE_AFTER_SECONDS });
    return {};
  });
}

/** What stands in the place of the address of who was erased: nobody can be written to there. */
export const pseudonymOf = (customerId: string): string => `${customerId}@deleted.invalid`;

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
      .set({ email: pseudonym, password_hash: null })
      .where('id', '=', customerId)
      .execute();
  });
}
