import { isPseudonym } from '../../kernel/pseudonym.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import { raiseAlert } from '../alert/index.ts';
import { allCredit } from '../billing/index.ts';
import { forgetAllMethods } from '../payment/index.ts';
import { endAllSubscriptions } from '../subscription/index.ts';
import type { AccountDeps, PersonalData } from './account.ts';
import { endEmailedSecrets } from './emailed-secrets.ts';
import { eraseCustomer } from './erase-accounts.ts';
import { changeMembership, type EndingWork, endWorkForOthers, lockWorkOf } from './memberships.ts';
import { endAllSessions } from './set-password.ts';

type Deps = EndingWork & {
  db: Db;
  systemClock: Clock;
  personal: readonly PersonalData[];
  endOrders: AccountDeps['endOrders'];
};

/**
 * Has a customer owned whose last owner is gone: by the buyer, or else the member, who has worked for it for the longest. They
 * had handed it over, or invited another owner, after the backup.
 */
async function findOwner(deps: EndingWork, tx: Db, customerId: string): Promise<void> {
  const people = await tx
    .selectFrom('membership')
    .select(['user_id as userId', 'role'])
    .where('customer_id', '=', customerId)
    .orderBy('since')
    .orderBy('user_id')
    .execute();
  if (people.some(({ role }) => role === 'owner')) return;
  const next = people.find(({ role }) => role === 'buyer') ?? people[0];
  if (next) await changeMembership(deps, tx, { customerId, userId: next.userId }, 'owner');
}

/**
 * Deletes and erases an account again that was deleted after the backup which the shop was restored from, and ends what its
 * user does for others. Sends them no email, and no money: the credit was refunded at the deletion, which the alert
 * `credit.unclaimed` has staff check.
 * @returns false when the backup does not know the account, or knows it as erased
 */
export async function repeatDeletion(deps: Deps, customerId: string): Promise<boolean> {
  const { db, systemClock, personal } = deps;
  const isOpen = await db.transaction().execute(async tx => {
    await lockWorkOf(tx, customerId);
    const customer = await tx
      .selectFrom('customer')
      .select(['email', 'status'])
      .where('id', '=', customerId)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (!customer || isPseudonym(customer.email)) return false;
    if (customer.status === 'deleted') return true;
    await deps.endOrders(tx, { id: customerId, email: customer.email });
    await tx.updateTable('customer').set({ status: 'deleted' }).where('id', '=', customerId).execute();
    const left = await endWorkForOthers({ ...deps, clock: systemClock }, tx, customerId);
    for (const id of left) await findOwner(deps, tx, id);
    await endAllSubscriptions(deps, tx, customerId);
    await forgetAllMethods(deps, tx, customerId);
    for (const { currency, amount } of await allCredit(tx, customerId)) {
      const subject = `${customerId}:${currency}`;
      await raiseAlert(tx, deps.clock.now(), {
        kind: 'credit.unclaimed',
        subject,
        what: { currency, amount },
      });
    }
    await endAllSessions({ clock: systemClock, live: deps.live }, tx, customerId);
    await endEmailedSecrets(tx, customerId, systemClock.now());
    return true;
  });
  if (isOpen) await eraseCustomer(db, personal, customerId);
  return isOpen;
}
