import { type Refusal, refuse } from '../../kernel/refusal.ts';
import type { Db } from '../../ports/database.ts';
import { endCredit, forgetAllMethods } from '../payment/index.ts';
import { endAllSubscriptions, hasRunning } from '../subscription/index.ts';
import type { AccountDeps } from './account.ts';
import { wantFactor } from './confirm.ts';
import { EMAILS_MS } from './erase-accounts.ts';
import { endMembership, lockPeople } from './memberships.ts';
import { checkOwnPassword } from './secret-tries.ts';
import { endAllSessions } from './set-password.ts';

/**
 * Whether others work for the customer that a user founded, who has to remove them first, or the user is the last owner of
 * another customer, which they have to hand over first.
 */
async function othersNeed(tx: Db, userId: string): Promise<boolean> {
  const owned = await tx
    .selectFrom('membership')
    .select('customer_id')
    .where('user_id', '=', userId)
    .where('customer_id', '<>', userId)
    .where('role', '=', 'owner')
    .orderBy('customer_id')
    .execute();
  for (const { customer_id } of owned) {
    const people = await lockPeople(tx, customer_id);
    if (!people.some(({ userId: other, role }) => role === 'owner' && other !== userId)) return true;
  }
  return (await lockPeople(tx, userId)).some(({ userId: other }) => other !== userId);
}

/**
 * Disables or deletes an account irrevocably. Ends sessions, sockets, tunnels, saved payment methods and credit at once; a
 * scheduled task erases the data of a deleted account. Refused while a subscription runs or waits for a host (8007, T11).
 */
export async function endAccount(
  deps: AccountDeps,
  customerId: string,
  { confirmedAt }: { confirmedAt: Date },
  request: { action: 'disable' | 'delete'; currentPassword: string },
): Promise<Refusal | Record<string, never>> {
  const { db, jobs, clock } = deps;
  const refused =
    (await wantFactor(deps, { customerId, confirmedAt })) ??
    (await checkOwnPassword(deps, customerId, request.currentPassword));
  if (refused) return refused;

  return db.transaction().execute(async tx => {
    // A weak lock: bookings that hold an order lock may still reference the customer. New logins and orders take a share lock.
    const { email } = await tx
      .selectFrom('customer')
      .select('email')
      .where('id', '=', customerId)
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow();
    if (await othersNeed(tx, customerId)) return refuse('userNotDeletable');
    if (await hasRunning(tx, customerId)) return refuse('accountHasSubscription');
    if (!(await deps.endOrders(tx, { id: customerId, email }))) return refuse('accountHasSubscription');
    const deleted = request.action === 'delete';
    await tx
      .updateTable('customer')
      .set({
        status: deleted ? 'deleted' : 'disabled',
        erase_at: deleted ? new Date(clock.now().getTime() + EMAILS_MS) : null,
      })
      .where('id', '=', customerId)
      .execute();
    for (const { customer_id } of await tx
      .selectFrom('membership')
      .select('customer_id')
      .where('user_id', '=', customerId)
      .where('customer_id', '<>', customerId)
      .execute())
      await endMembership(deps, tx, { customerId: customer_id, userId: customerId });
    await endAllSubscriptions(deps, tx, customerId);
    await forgetAllMethods(deps, tx, customerId);
    await endCredit(deps, tx, customerId);
    await endAllSessions(deps, tx, customerId);
    const template = deleted ? 'accountDeleted' : 'accountDisabled';
    await jobs.enqueue(tx, 'sendEmail', { template, customerId, subjectId: customerId });
    return {};
  });
}
