import type { Db } from '../../ports/database.ts';
import type { UserMove } from '../account/index.ts';

/** Invitations of a customer, and to a user, for the data export. */
export async function invitationsOf(db: Db, customerId: string) {
  const rows = await db
    .selectFrom('invitation')
    .select(['email', 'role', 'created_at', 'expires_at'])
    .where('customer_id', '=', customerId)
    .orderBy('created_at')
    .execute();
  return {
    invitations: rows.map(({ email, role, created_at, expires_at }) => ({
      email,
      role,
      invitedAt: created_at.toISOString(),
      expiresAt: expires_at.toISOString(),
    })),
  };
}

/** Erases the invitations of a customer, and those to the customer's address. */
export async function eraseInvitations(tx: Db, { id, email }: { id: string; email: string }): Promise<void> {
  await tx
    .deleteFrom('invitation')
    .where(eb => eb.or([eb('customer_id', '=', id), eb('email', '=', email)]))
    .execute();
}

/** Moves a user's numbers of devices and open invitations to the new ID that they get. */
export async function moveNumbers(tx: Db, { from, to, customers }: UserMove): Promise<void> {
  await tx
    .updateTable('device_allowance')
    .set({ user_id: to })
    .where('customer_id', 'in', [...customers])
    .where('user_id', '=', from)
    .execute();
  await tx.updateTable('invitation').set({ invited_by: to }).where('invited_by', '=', from).execute();
}
