import type { TeamRole } from '@fixpoint/contract/team-role.ts';
import { refusedChange } from '@fixpoint/domain/account/team.ts';
import { newId } from '../../crypto/secrets.ts';
import type { Actor } from '../../kernel/caller.ts';
import { type Refusal, refuse } from '../../kernel/refusal.ts';
import type { Db } from '../../ports/database.ts';
import { type AccountDeps, lockPeople } from '../account/index.ts';
import { isOwn } from './allowances.ts';
import { invitationEnd } from './invitations.ts';

export type TeamDeps = Pick<
  AccountDeps,
  'db' | 'clock' | 'jobs' | 'live' | 'limits' | 'vault' | 'endDevices' | 'endInvitations' | 'moveWork'
> & {
  scale: number;
};

/** Invitations to one address in a day, from all customers together (S17). */
const A_DAY = { most: 5, seconds: 24 * 60 * 60 };

type Invited = {
  email: string;
  role: TeamRole;
  subscriptionId?: string | undefined;
  devices?: number | undefined;
};

/** Counts an email to an address. Says nothing of whether the address has a log-in. */
async function countEmail({ limits, scale }: TeamDeps, email: string): Promise<Refusal | undefined> {
  const { count, endsIn } = await limits.hit(`invited:${email}`, A_DAY.seconds);
  return count > A_DAY.most * scale ? { refusal: 'tooManyRequests', retryAfterSeconds: endsIn } : undefined;
}

/** Invites somebody to work for a customer. Looks at the people of this customer only, never at who has a log-in. */
export async function invite(
  deps: TeamDeps,
  { userId, customerId }: Actor,
  { email, role, subscriptionId, devices }: Invited,
): Promise<Refusal | { id: string; expiresAt: string }> {
  const { db, clock, jobs } = deps;
  const counted = await countEmail(deps, email);
  if (counted) return counted;
  return db.transaction().execute(async tx => {
    const refused = refusedChange(await lockPeople(tx, customerId), userId, { kind: 'invite' });
    if (refused) return refuse(refused);
    if (subscriptionId && !(await isOwn(tx, customerId, subscriptionId)))
      return refuse('subscriptionNotFound');
    if (await worksHere(tx, customerId, email)) return refuse('emailExists');
    const now = clock.now();
    const invited = {
      role,
      subscription_id: subscriptionId ?? null,
      devices: subscriptionId ? (devices ?? 1) : null,
      invited_by: userId,
      created_at: now,
      expires_at: invitationEnd(now),
    };
    const made = await tx
      .insertInto('invitation')
      .values({ id: newId('ivt'), customer_id: customerId, email, ...invited })
      .onConflict(conflict =>
        conflict
          .columns(['customer_id', 'email'])
          .doUpdateSet({ id: newId('ivt'), token_hash: null, ...invited })
          .where('invitation.expires_at', '<=', now),
      )
      .returning(['id', 'expires_at'])
      .executeTakeFirst();
    if (!made) return refuse('emailExists');
    await jobs.enqueue(tx, 'sendInvitation', { invitationId: made.id });
    return { id: made.id, expiresAt: made.expires_at.toISOString() };
  });
}

const worksHere = async (tx: Db, customerId: string, email: string): Promise<boolean> =>
  (await tx
    .selectFrom('membership')
    .innerJoin('app_user', 'app_user.id', 'membership.user_id')
    .select('app_user.id')
    .where('membership.customer_id', '=', customerId)
    .where('app_user.email', '=', email)
    .executeTakeFirst()) !== undefined;

/** Emails an invitation with a new link, which works for another 7 days. The previous link ends at once. */
export async function resendInvitation(
  deps: TeamDeps,
  { userId, customerId }: Actor,
  id: string,
): Promise<Refusal | { expiresAt: string }> {
  const { db, clock, jobs } = deps;
  const found = await db
    .selectFrom('invitation')
    .select('email')
    .where('id', '=', id)
    .where('customer_id', '=', customerId)
    .executeTakeFirst();
  if (!found) return refuse('userNotFound');
  const counted = await countEmail(deps, found.email);
  if (counted) return counted;
  return db.transaction().execute(async tx => {
    const refused = refusedChange(await lockPeople(tx, customerId), userId, { kind: 'invite' });
    if (refused) return refuse(refused);
    const renewed = await tx
      .updateTable('invitation')
      .set({ token_hash: null, expires_at: invitationEnd(clock.now()) })
      .where('id', '=', id)
      .where('customer_id', '=', customerId)
      .returning('expires_at')
      .executeTakeFirst();
    if (!renewed) return refuse('userNotFound');
    await jobs.enqueue(tx, 'sendInvitation', { invitationId: id });
    return { expiresAt: renewed.expires_at.toISOString() };
  });
}

/** Ends an invitation and its link. */
export async function withdrawInvitation(
  { db }: TeamDeps,
  { userId, customerId }: Actor,
  id: string,
): Promise<Refusal | Record<string, never>> {
  return db.transaction().execute(async tx => {
    const refused = refusedChange(await lockPeople(tx, customerId), userId, { kind: 'invite' });
    if (refused) return refuse(refused);
    const withdrawn = await tx
      .deleteFrom('invitation')
      .where('id', '=', id)
      .where('customer_id', '=', customerId)
      .returning('id')
      .executeTakeFirst();
    return withdrawn ? {} : refuse('userNotFound');
  });
}
