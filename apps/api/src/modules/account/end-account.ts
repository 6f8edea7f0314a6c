import { type Refusal, refuse } from '../../kernel/refusal.ts';
import type { Db } from '../../ports/database.ts';
import { recordAction } from '../audit/index.ts';
import { endCredit, forgetAllMethods } from '../payment/index.ts';
import { endAllSubscriptions, hasRunning } from '../subscription/index.ts';
import type { AccountDeps } from './account.ts';
import { wantFactor } from './confirm.ts';
import { EMAILS_MS } from './erase-accounts.ts';
import { endWorkForOthers, lockPeople, lockWorkOf } from './memberships.ts';
import { checkOwnPassword } from './secret-tries.ts';
import { endAllSessions } from './set-password.ts';
import { whole } from './whole.ts';

/**
 * Customers that end with a user: those that they own, where nobody else works and nobody logs in by the ID.
 * @returns undefined while others work for the customer that they founded, whom they have to remove first, or for one whose
 * last owner they are, which they have to hand over first
 */
async function endsWith(tx: Db, userId: string): Promise<string[] | undefined> {
  const owned = await tx
    .selectFrom('membership')
    .select('customer_id')
    .where('user_id', '=', userId)
    .where('customer_id', '<>', userId)
    .where('role', '=', 'owner')
    .orderBy('customer_id')
    .execute();
  const alone: string[] = [];
  for (const { customer_id } of owned) {
    const people = await lockPeople(tx, customer_id);
    const others = people.filter(({ userId: other }) => other !== userId);
    if (people.length === 0 || others.some(({ role }) => role === 'owner')) continue;
    if (others.length > 0) return undefined;
    alone.push(customer_id);
  }
  const founded = await lockPeople(tx, userId);
  return founded.some(({ userId: other }) => other !== userId) ? undefined : alone;
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

  return whole(db, async tx => {
    // New logins and orders take a share lock.
    await lockWorkOf(tx, customerId);
    const user = await tx
      .selectFrom('customer')
      .select(['email', 'language'])
      .where('id', '=', customerId)
      .where('founder_id', 'is', null)
      .executeTakeFirst();
    if (!user) return refuse('sessionExpired');
    const alone = await endsWith(tx, customerId);
    if (!alone) return refuse('userNotDeletable');
    for (const id of [customerId, ...alone]) {
      if (await hasRunning(tx, id)) return refuse('accountHasSubscription');
      if (!(await deps.endOrders(tx, { id, email: user.email }))) return refuse('accountHasSubscription');
    }
    const deleted = request.action === 'delete';
    const ended = {
      status: deleted ? 'deleted' : 'disabled',
      erase_at: deleted ? new Date(clock.now().getTime() + EMAILS_MS) : null,
    } as const;
    await tx.updateTable('customer').set(ended).where('id', '=', customerId).execute();
    // The last emails of a customer that nobody logs in by reach its last owner.
    for (const id of alone)
      await tx
        .updateTable('customer')
        .set({ ...ended, email: user.email, language: user.language })
        .where('id', '=', id)
        .execute();
    const works = await endWorkForOthers(deps, tx, customerId);
    for (const id of [customerId, ...alone]) {
      await endAllSubscriptions(deps, tx, id);
      await forgetAllMethods(deps, tx, id);
      await endCredit(deps, tx, id);
      await endAllSessions(deps, tx, id);
    }
    const template = deleted ? 'accountDeleted' : 'accountDisabled';
    await jobs.enqueue(tx, 'sendEmail', { template, customerId, subjectId: customerId });
    const at = clock.now();
    for (const id of works)
      if (!alone.includes(id))
        await recordAction(tx, { at, userId: customerId, customerId: id, action: 'deleteAccount' });
    return {};
  });
}
