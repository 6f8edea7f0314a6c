import { contactEmail } from '../../database/contact.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import type { BlockedKind, BlockList } from '../block/index.ts';
import { endCredit, forgetAllMethods } from '../payment/index.ts';
import { endAllSubscriptions } from '../subscription/index.ts';
import type { AccountDeps } from './account.ts';
import { endEmailedSecrets } from './emailed-secrets.ts';
import { type EndingWork, endWorkForOthers, lockWorkOf } from './memberships.ts';
import { endAllSessions } from './set-password.ts';

/** Why staff cannot close an account, as a sentence for them. */
class NotClosable extends Error {
  override name = 'NotClosable';
}

/** What closing an account would end and block. */
export type Closing = {
  customerId: string;
  email: string;
  subscriptions: string[];
  /** Other accounts that its user works for, and leaves. */
  worksFor: string[];
  values: { kind: BlockedKind; value: string }[];
};

/**
 * Plans to close an account for abuse. In a transaction it locks the account.
 * @param customer ID or email address
 * @throws NotClosable also for the last owner of another account, which would renew with nobody who can log in to it
 */
export async function planClosing(db: Db, customer: string): Promise<Closing> {
  const owner = await db
    .selectFrom('customer')
    .select(['id', 'founder_id', contactEmail.as('email')])
    .where(customer.includes('@') ? 'email' : 'id', '=', customer.trim().toLowerCase())
    .where('status', '=', 'active')
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!owner) throw new NotClosable(`There is no active account ${customer}.`);
  const worksFor = await workForOthers(db, owner.id);
  const [orphan] = worksFor.filter(({ role, hasOtherOwner }) => role === 'owner' && !hasOtherOwner);
  if (orphan)
    throw new NotClosable(
      `Its user is the last owner of another account, ${orphan.id}: close that one first, or have them hand it over.`,
    );
  const subscriptions = await db
    .selectFrom('subscription')
    .select('id')
    .where('customer_id', '=', owner.id)
    .where('status', '<>', 'expired')
    .orderBy('id')
    .execute();
  const methods = await db
    .selectFrom('saved_method')
    .select(['method', 'fingerprint'])
    .where('customer_id', '=', owner.id)
    .orderBy('fingerprint')
    .execute();
  const addresses = owner.founder_id ? await ownersAddresses(db, owner.id) : [owner.email];
  return {
    customerId: owner.id,
    email: owner.email,
    subscriptions: subscriptions.map(({ id }) => id),
    worksFor: worksFor.map(({ id }) => id),
    values: [
      ...addresses.map(value => ({ kind: 'email' as const, value })),
      ...methods.map(({ method, fingerprint }) => ({ kind: method, value: fingerprint })),
    ],
  };
}

/** Other active customers that a user works for, and whether they have an owner without them. */
const workForOthers = (db: Db, userId: string) =>
  db
    .selectFrom('membership')
    .innerJoin('customer', 'customer.id', 'membership.customer_id')
    .select(['customer.id', 'membership.role'])
    .select(eb =>
      eb
        .exists(
          eb
            .selectFrom('membership as other')
            .select('other.user_id')
            .whereRef('other.customer_id', '=', 'customer.id')
            .where('other.user_id', '<>', userId)
            .where('other.role', '=', 'owner'),
        )
        .as('hasOtherOwner'),
    )
    .where('membership.user_id', '=', userId)
    .where('membership.customer_id', '<>', userId)
    .where('customer.status', '=', 'active')
    .orderBy('customer.id')
    .execute();

/** Addresses of the owners of a customer that nobody logs in by. */
async function ownersAddresses(db: Db, customerId: string): Promise<string[]> {
  const owners = await db
    .selectFrom('membership')
    .innerJoin('app_user', 'app_user.id', 'membership.user_id')
    .select('email')
    .where('customer_id', '=', customerId)
    .where('role', '=', 'owner')
    .orderBy('email')
    .execute();
  return owners.map(({ email }) => email);
}

type Deps = EndingWork & {
  systemClock: Clock;
  blocks: BlockList;
  endOrders: AccountDeps['endOrders'];
};

/**
 * Closes an account for abuse, in the caller's transaction: its subscriptions, log-ins, saved methods and credit end, and what
 * its user does for other accounts, and it goes on the block list. The row stays, disabled: its invoices are kept as the law
 * requires.
 * @param customerId as planned
 * @returns the number of entries of the block list
 * @throws NotClosable also while a paid order is not delivered yet
 */
export async function closeAccount(
  deps: Deps,
  tx: Db,
  customerId: string,
  { reason, endsAt }: { reason: string; endsAt: Date | null },
): Promise<number> {
  const { systemClock, jobs, blocks } = deps;
  await lockWorkOf(tx, customerId);
  const { email, values } = await planClosing(tx, customerId);
  if (!(await deps.endOrders(tx, { id: customerId, email })))
    throw new NotClosable('An order of it is paid and not delivered yet: try again in a minute.');
  await blocks.add(tx, systemClock.now(), { customerId, reason, endsAt }, values);
  await tx.updateTable('customer').set({ status: 'disabled' }).where('id', '=', customerId).execute();
  await endWorkForOthers({ ...deps, clock: systemClock }, tx, customerId);
  await endAllSubscriptions(deps, tx, customerId);
  await forgetAllMethods(deps, tx, customerId);
  await endCredit(deps, tx, customerId);
  await endAllSessions({ clock: systemClock, live: deps.live }, tx, customerId);
  await endEmailedSecrets(tx, customerId, systemClock.now());
  await jobs.enqueue(tx, 'sendEmail', { template: 'accountClosed', customerId, subjectId: customerId });
  return values.length;
}
