import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import type { Jobs } from '../../ports/jobs.ts';
import type { LiveBus } from '../../ports/live.ts';
import { raiseAlert } from '../alert/index.ts';
import { allCredit } from '../billing/index.ts';
import { forgetAllMethods } from '../payment/index.ts';
import { endAllSubscriptions } from '../subscription/index.ts';
import type { AccountDeps, PersonalData } from './account.ts';
import { endEmailedSecrets } from './emailed-secrets.ts';
import { eraseCustomer, isPseudonym } from './erase-accounts.ts';
import { endAllSessions } from './set-password.ts';

type Deps = {
  db: Db;
  clock: Clock;
  systemClock: Clock;
  jobs: Jobs;
  live: LiveBus;
  personal: readonly PersonalData[];
  endOrders: AccountDeps['endOrders'];
};

/**
 * Deletes and erases an account again that was deleted after the backup which the shop was restored from. Sends no email, and
 * no money: the credit was refunded at the deletion, which the alert `credit.unclaimed` has staff check.
 * @returns false when the backup does not know the account, or knows it as erased
 */
export async function repeatDeletion(deps: Deps, customerId: string): Promise<boolean> {
  const { db, systemClock, personal } = deps;
  const isOpen = await db.transaction().execute(async tx => {
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
