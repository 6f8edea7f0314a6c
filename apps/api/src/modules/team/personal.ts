import type { Db } from '../../ports/database.ts';

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
