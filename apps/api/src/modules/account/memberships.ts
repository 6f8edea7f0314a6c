import type { TeamRole } from '@fixpoint/contract/team-role.ts';
import { sql } from 'kysely';
import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import type { Jobs } from '../../ports/jobs.ts';
import type { LiveBus } from '../../ports/live.ts';
import { endAllowListUrl } from '../subscription/index.ts';
import type { AccountDeps } from './account.ts';

type Of = { customerId: string; userId: string };
type Deps = { clock: Clock; live: LiveBus; jobs: Jobs };
/** What ending a membership needs. `clock`: that which sessions go by. */
export type EndingWork = Deps & Pick<AccountDeps, 'endDevices' | 'endInvitations'>;

/**
 * Locks customers in the order of their IDs until the transaction is over, so that two users who work for each other's cannot
 * deadlock. Whoever locks several locks all of them by this, before any other. Bookings may still reference the customers.
 */
export async function lockCustomers(tx: Db, ids: readonly string[]): Promise<void> {
  const rows = tx
    .selectFrom('customer')
    .select('id')
    .where('id', 'in', [...ids]);
  await rows.orderBy('id').forNoKeyUpdate().execute();
}

/** Makes others who add a customer to those that a user works for wait until the transaction is over. */
export const holdWorkOf = (tx: Db, userId: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`work of ${userId}`}, 0))`.execute(tx);

/** Locks a user and all customers that they work for until the transaction is over. @returns their IDs */
export async function lockWorkOf(tx: Db, userId: string): Promise<string[]> {
  await holdWorkOf(tx, userId);
  const works = tx.selectFrom('membership').select('customer_id').where('user_id', '=', userId);
  const ids = new Set([userId, ...(await works.execute()).map(({ customer_id }) => customer_id)]);
  await lockCustomers(tx, [...ids]);
  return [...ids];
}

/**
 * Locks the people of an active customer until the transaction is over, and reads them.
 * @returns nobody for an unknown or ended customer
 */
export async function lockPeople(tx: Db, customerId: string): Promise<{ userId: string; role: TeamRole }[]> {
  await tx
    .selectFrom('customer')
    .select('id')
    .where('id', '=', customerId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  const rows = await tx
    .selectFrom('membership')
    .innerJoin('customer', 'customer.id', 'membership.customer_id')
    .select(['membership.user_id as userId', 'membership.role'])
    .where('customer_id', '=', customerId)
    .where('customer.status', '=', 'active')
    .execute();
  return rows as { userId: string; role: TeamRole }[];
}

/** Has a user work for a customer whose people are locked, from the next log-in on. @returns false when they do already */
export async function addMembership(
  tx: Db,
  { customerId, userId }: Of,
  { role, invitedBy, since }: { role: TeamRole; invitedBy: string; since: Date },
): Promise<boolean> {
  const added = await tx
    .insertInto('membership')
    .values({ customer_id: customerId, user_id: userId, role, invited_by: invitedBy, since })
    .onConflict(conflict => conflict.doNothing())
    .returning('user_id')
    .executeTakeFirst();
  return added !== undefined;
}

/**
 * Changes what a user may do, in their open sessions too. Their sockets connect again with the new role. What they invited to
 * ends with their being an owner.
 */
export async function changeMembership(
  deps: Pick<Deps, 'live' | 'jobs'> & Pick<AccountDeps, 'endInvitations'>,
  tx: Db,
  { customerId, userId }: Of,
  role: TeamRole,
): Promise<void> {
  const changed = await tx
    .updateTable('membership')
    .set({ role })
    .where('customer_id', '=', customerId)
    .where('user_id', '=', userId)
    .where('role', '<>', role)
    .returning('user_id')
    .executeTakeFirst();
  if (changed && role === 'member') await endAllowListUrl(deps, tx, customerId);
  if (role !== 'owner') await deps.endInvitations(tx, { customerId, userId });
  const open = await tx
    .updateTable('session')
    .set({ role })
    .where('customer_id', '=', customerId)
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .returning('id')
    .execute();
  for (const { id } of open) await deps.live.disconnect(tx, `session:${id}`);
}

/**
 * Ends what a user does for a customer, their sessions, sockets, devices and open invitations for it, and the URL of addresses
 * that they know.
 */
export async function endMembership(deps: EndingWork, tx: Db, { customerId, userId }: Of): Promise<void> {
  // The membership first: a log-in that holds it has begun its session before, so that it ends here.
  const left = await tx
    .deleteFrom('membership')
    .where('customer_id', '=', customerId)
    .where('user_id', '=', userId)
    .returning('role')
    .executeTakeFirst();
  if (left && left.role !== 'member') await endAllowListUrl(deps, tx, customerId);
  const ended = await tx
    .updateTable('session')
    .set({ ended_at: deps.clock.now() })
    .where('customer_id', '=', customerId)
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .returning('id')
    .execute();
  for (const { id } of ended) await deps.live.disconnect(tx, `session:${id}`);
  await deps.endInvitations(tx, { customerId, userId });
  await deps.endDevices(tx, { customerId, userId });
}

/** Ends what a user does for each customer but that of their own ID. @returns those customers */
export async function endWorkForOthers(deps: EndingWork, tx: Db, userId: string): Promise<string[]> {
  const others = await tx
    .selectFrom('membership')
    .select('customer_id')
    .where('user_id', '=', userId)
    .where('customer_id', '<>', userId)
    .orderBy('customer_id')
    .execute();
  for (const { customer_id: customerId } of others) await endMembership(deps, tx, { customerId, userId });
  return others.map(({ customer_id }) => customer_id);
}

/** Which customer the next log-in of a user opens, as long as they work for it. */
export async function openNext(tx: Db, { customerId, userId }: Of): Promise<void> {
  await tx.updateTable('app_user').set({ last_customer_id: customerId }).where('id', '=', userId).execute();
}
