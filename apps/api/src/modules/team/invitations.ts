import type { TeamRole } from '@fixpoint/contract/team-role.ts';
import { sql } from 'kysely';
import { newToken, tokenHash } from '../../crypto/secrets.ts';
import { customerName } from '../../database/contact.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';

const DAY_MS = 24 * 60 * 60_000;
/** An invitation's link works once within this time. */
const LIFETIME_MS = 7 * DAY_MS;

export const invitationEnd = (now: Date): Date => new Date(now.getTime() + LIFETIME_MS);

/** Open invitation of a link. Does not consume it. */
export async function readInvitation(db: Db, clock: Clock, token: string) {
  const found = await db
    .selectFrom('invitation')
    .innerJoin('customer', 'customer.id', 'invitation.customer_id')
    .leftJoin('buyer_details', 'buyer_details.customer_id', 'customer.id')
    .select([
      'invitation.id',
      'invitation.customer_id as customerId',
      'invitation.email',
      'invitation.role',
      'invitation.expires_at as expiresAt',
    ])
    .select(customerName.as('name'))
    .select(eb =>
      eb
        .exists(
          eb
            .selectFrom('customer as user')
            .select('user.id')
            .whereRef('user.email', '=', 'invitation.email')
            .where('user.status', '=', sql.lit('active')),
        )
        .as('hasLogin'),
    )
    .where('token_hash', '=', tokenHash(token))
    .where('expires_at', '>', clock.now())
    .where('customer.status', '=', 'active')
    .executeTakeFirst();
  return found && { ...found, role: found.role as TeamRole, hasLogin: Boolean(found.hasLogin) };
}

/** Consumes an open invitation. @returns undefined when it was used or has ended meanwhile */
export async function consumeInvitation(tx: Db, clock: Clock, { id, token }: { id: string; token: string }) {
  const used = await tx
    .deleteFrom('invitation')
    .where('id', '=', id)
    .where('token_hash', '=', tokenHash(token))
    .where('expires_at', '>', clock.now())
    .returning(['role', 'invited_by as invitedBy', 'subscription_id as subscriptionId', 'devices'])
    .executeTakeFirst();
  return used && { ...used, role: used.role as TeamRole };
}

/**
 * Makes the token of an invitation's link when its email is sent, so that no queue ever holds it.
 * @returns undefined when it has ended
 */
export async function invitationToSend(db: Db, clock: Clock, id: string) {
  const token = newToken();
  const sent = await db
    .updateTable('invitation')
    .set({ token_hash: tokenHash(token) })
    .where('id', '=', id)
    .where('expires_at', '>', clock.now())
    .returning(['email', 'role', 'invited_by', 'expires_at'])
    .executeTakeFirst();
  if (!sent) return undefined;
  const users = db.selectFrom('app_user').select(['email', 'language']);
  const inviter = await users.where('id', '=', sent.invited_by).executeTakeFirst();
  // Somebody with a log-in reads their own language. Only the owner of the address sees which one it is. The status is a
  // literal, because the index covers active users only.
  const invited = users.where('email', '=', sent.email).where('status', '=', sql.lit('active'));
  const { language } = (await invited.executeTakeFirst()) ?? inviter!;
  const { email, role, expires_at: expiresAt } = sent;
  return { email, role: role as TeamRole, expiresAt, inviter: inviter!.email, language, token };
}

/** Ends the open invitations of somebody who may invite no more: one to an address of theirs would bring them back. */
export async function endInvitationsBy(tx: Db, of: { customerId: string; userId: string }): Promise<void> {
  await tx
    .deleteFrom('invitation')
    .where('customer_id', '=', of.customerId)
    .where('invited_by', '=', of.userId)
    .execute();
}
