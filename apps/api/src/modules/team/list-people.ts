import type { TeamRole } from '@fixpoint/contract/team-role.ts';
import { sql } from 'kysely';
import type { Actor } from '../../kernel/caller.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import { devicesByUser } from '../key/index.ts';

/** Everybody who works for a customer, and the open invitations, oldest first. */
export async function listPeople({ db, clock }: { db: Db; clock: Clock }, { userId, customerId }: Actor) {
  const people = await db
    .selectFrom('membership')
    .innerJoin('app_user', 'app_user.id', 'membership.user_id')
    .select(['app_user.id', 'email', 'name', 'role', 'since', 'invited_by'])
    .where('membership.customer_id', '=', customerId)
    .orderBy('since')
    .orderBy(sql`invited_by is not null`)
    .orderBy('app_user.id')
    .execute();
  const numbers = await db
    .selectFrom('device_allowance')
    .select(['user_id', 'subscription_id as subscriptionId', 'devices'])
    .where('customer_id', '=', customerId)
    .orderBy('subscription_id')
    .execute();
  const allowances = Map.groupBy(numbers, one => one.user_id);
  const devicesOf = await devicesByUser(db, customerId);
  const invitations = await db
    .selectFrom('invitation')
    .select(['id', 'email', 'role', 'subscription_id', 'devices', 'created_at', 'expires_at'])
    .where('customer_id', '=', customerId)
    .where('expires_at', '>', clock.now())
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return {
    people: people.map(({ id, email, name, role, since, invited_by }) => ({
      userId: id,
      email,
      ...(name && { name }),
      role: role as TeamRole,
      since: since.toISOString(),
      ...(invited_by && { invitedBy: invited_by }),
      isYou: id === userId,
      devices: devicesOf(id),
      ...(role === 'member' && {
        allowances: (allowances.get(id) ?? []).map(({ user_id: _, ...one }) => one),
      }),
    })),
    invitations: invitations.map(({ id, email, role, subscription_id, devices, created_at, expires_at }) => ({
      id,
      email,
      role: role as TeamRole,
      ...(subscription_id && { subscriptionId: subscription_id }),
      ...(devices && { devices }),
      invitedAt: created_at.toISOString(),
      expiresAt: expires_at.toISOString(),
    })),
  };
}
