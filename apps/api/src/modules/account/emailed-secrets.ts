import type { Db } from '../../ports/database.ts';

/** Invalidates every code, grant and link that was emailed to a customer. */
export async function endEmailedSecrets(tx: Db, customerId: string, now: Date): Promise<void> {
  await tx
    .updateTable('challenge')
    .set({ used_at: now, grant_expires_at: null })
    .where('customer_id', '=', customerId)
    .where('purpose', '<>', 'signUp')
    .execute();
  await tx
    .updateTable('link_token')
    .set({ used_at: now })
    .where('customer_id', '=', customerId)
    .where('used_at', 'is', null)
    .execute();
}
