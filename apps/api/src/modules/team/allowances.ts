import { includesRole, type TeamRole } from '@fixpoint/contract/team-role.ts';
import { sql } from 'kysely';
import type { Actor } from '../../kernel/caller.ts';
import { type Refusal, refuse } from '../../kernel/refusal.ts';
import type { Db } from '../../ports/database.ts';
import { type LiveBus, memberRoom } from '../../ports/live.ts';
import { lockPeople } from '../account/index.ts';
import { userOfDevice } from '../subscription/index.ts';

type Allowance = { subscriptionId: string; devices: number };

/** Whether a customer has a subscription that has not ended. */
export const isOwn = async (db: Db, customerId: string, subscriptionId: string): Promise<boolean> =>
  (await db
    .selectFrom('subscription')
    .select('id')
    .where('id', '=', subscriptionId)
    .where('customer_id', '=', customerId)
    .where('status', '<>', 'expired')
    .executeTakeFirst()) !== undefined;

/** Lets a member have so many devices on a subscription of their customer; 0: none. */
export async function allow(
  tx: Db,
  { customerId, userId }: Actor,
  { subscriptionId, devices }: Allowance,
): Promise<void> {
  if (devices > 0) {
    await tx
      .insertInto('device_allowance')
      .values({ customer_id: customerId, user_id: userId, subscription_id: subscriptionId, devices })
      .onConflict(conflict => conflict.columns(['subscription_id', 'user_id']).doUpdateSet({ devices }))
      .execute();
    return;
  }
  await tx
    .deleteFrom('device_allowance')
    .where('customer_id', '=', customerId)
    .where('user_id', '=', userId)
    .where('subscription_id', '=', subscriptionId)
    .execute();
}

/** Gives a new member as many devices as they have; owners and buyers need no number. */
export async function allowForRole(tx: Db, { customerId, userId }: Actor, role: TeamRole): Promise<void> {
  if (role === 'member') {
    await tx
      .insertInto('device_allowance')
      .columns(['subscription_id', 'customer_id', 'user_id', 'devices'])
      .expression(eb =>
        eb
          .selectFrom('vpn_key')
          .select(['subscription_id', 'customer_id', 'user_id', sql<number>`count(*)::int`.as('devices')])
          .where('customer_id', '=', customerId)
          .where('user_id', '=', userId)
          .where('deleted_at', 'is', null)
          .groupBy(['subscription_id', 'customer_id', 'user_id']),
      )
      .onConflict(conflict => conflict.doNothing())
      .execute();
    return;
  }
  await tx
    .deleteFrom('device_allowance')
    .where('customer_id', '=', customerId)
    .where('user_id', '=', userId)
    .execute();
}

/** Sets a member's number on a subscription. Devices beyond it stay until somebody deletes them. */
export function setAllowance(
  { db, live }: { db: Db; live: LiveBus },
  { userId: actorId, customerId }: Actor,
  { userId, ...wanted }: Allowance & { userId: string },
): Promise<Refusal | Record<string, never>> {
  return db.transaction().execute(async tx => {
    const people = await lockPeople(tx, customerId);
    const roleOf = (id: string) => people.find(person => person.userId === id)?.role;
    // The role may have changed since the call was admitted.
    if (!includesRole(roleOf(actorId) ?? 'member', 'buyer')) return refuse('forbidden');
    if (!(await isOwn(tx, customerId, wanted.subscriptionId))) return refuse('subscriptionNotFound');
    if (roleOf(userId) !== 'member') return refuse('userNotFound');
    await allow(tx, { customerId, userId }, wanted);
    await live.publish(tx, memberRoom({ customerId, userId }), 'SUBSCRIPTION', {
      event: 'fetch',
      id: wanted.subscriptionId,
    });
    return {};
  });
}

/** Everybody who works for a customer, with their devices on a subscription; oldest first. */
export async function listAllowances(
  { db }: { db: Db },
  { userId: callerId, customerId }: Actor,
  subscriptionId: string,
) {
  if (!(await isOwn(db, customerId, subscriptionId))) return refuse('subscriptionNotFound');
  const people = await db
    .selectFrom('membership')
    .innerJoin('app_user', 'app_user.id', 'membership.user_id')
    .leftJoin('device_allowance as allowance', join =>
      join
        .onRef('allowance.user_id', '=', 'membership.user_id')
        .on('allowance.subscription_id', '=', subscriptionId),
    )
    .select(['app_user.id', 'email', 'name', 'role', 'allowance.devices'])
    .select(eb =>
      eb
        .selectFrom('vpn_key')
        .select(sql<number>`count(*)::int`.as('count'))
        .where('vpn_key.subscription_id', '=', subscriptionId)
        .where('deleted_at', 'is', null)
        .where(sql<boolean>`${userOfDevice} = app_user.id`)
        .as('count'),
    )
    .where('membership.customer_id', '=', customerId)
    .orderBy('since')
    .orderBy('app_user.id')
    .execute();
  return {
    people: people.map(({ id, email, name, role, devices, count }) => ({
      userId: id,
      email,
      ...(name && { name }),
      role: role as TeamRole,
      isYou: id === callerId,
      ...(role === 'member' && { devices: devices ?? 0 }),
      keyCount: count ?? 0,
    })),
  };
}
